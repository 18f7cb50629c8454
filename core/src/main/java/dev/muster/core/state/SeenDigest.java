package dev.muster.core.state;

/**
 * A short proof of who has seen a version, sent with the version instead of the seen set itself.
 *
 * <p>On the wire it is a SHA-1 over the address texts of the seen members. Hashing thousands of texts for every status
 * would cost more than sending them, so a digest made from a state compares bits with another one, and is hashed only
 * when it must be written to the wire or compared with one that came from there.
 */
public final class SeenDigest {
    /** Sent by peers that leave it out; matches everything, as on the wire. */
    public static final SeenDigest UNKNOWN = new SeenDigest("");

    private final Members members;
    private final SeenSet seen;
    private String hex; // computed once on demand

    private SeenDigest(String hex) {
        this.members = null;
        this.seen = null;
        this.hex = hex;
    }

    SeenDigest(Members members, SeenSet seen) {
        this.members = members;
        this.seen = seen;
    }

    public static SeenDigest ofHex(String hex) {
        return hex.isEmpty() ? UNKNOWN : new SeenDigest(hex);
    }

    public boolean matches(SeenDigest other) {
        if (members != null && other.members != null && members.equals(other.members)) {
            return seen.equals(other.seen);
        }
        return hex().isEmpty() || other.hex().isEmpty() || hex().equals(other.hex());
    }

    public String hex() {
        String text = hex;
        if (text == null) {
            text = NodeId.hexDigest("SHA-1", addressesOfSeen());
            hex = text;
        }
        return text;
    }

    private String addressesOfSeen() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < members.size(); i++) {
            if (seen.contains(i)) {
                text.append(text.isEmpty() ? "" : ",")
                        .append(members.get(i).id().address());
            }
        }
        return text.toString();
    }
}

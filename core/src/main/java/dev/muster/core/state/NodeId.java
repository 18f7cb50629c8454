package dev.muster.core.state;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * One incarnation of a node: its address and the 64-bit uid that its process drew when it started.
 *
 * <p>Whoever restarts at the same address gets another uid and so is somebody else. Ids are ordered by address, then by
 * uid as a signed number, which is the member order that all members agree on.
 */
public final class NodeId implements Comparable<NodeId> {
    private final NodeAddress address;
    private final long uid;
    private final int hash;
    private String clockKey; // computed once on demand; two threads that race compute the same text

    public NodeId(NodeAddress address, long uid) {
        this.address = Objects.requireNonNull(address, "address");
        this.uid = uid;
        this.hash = address.hashCode() * 31 + Long.hashCode(uid);
    }

    public NodeAddress address() {
        return address;
    }

    public long uid() {
        return uid;
    }

    /** Place on the monitor ring. The ring is ordered by this signed number, then by address. */
    public int ringHash() {
        return Long.hashCode(uid);
    }

    /** The name of this node in vector clocks: hex MD5 of its address text and uid. MD5 because the wire says so. */
    public String clockKey() {
        String key = clockKey;
        if (key == null) {
            key = hexDigest("MD5", address + "-" + uid);
            clockKey = key;
        }
        return key;
    }

    static String hexDigest(String algorithm, String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }

    @Override
    public int compareTo(NodeId other) {
        if (this == other) {
            return 0;
        }
        int byAddress = address.compareTo(other.address);
        return byAddress != 0 ? byAddress : Long.compare(uid, other.uid);
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof NodeId that && uid == that.uid && address.equals(that.address);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Host, port and uid; enough to tell members of one cluster apart in a log line. */
    @Override
    public String toString() {
        return address.hostAndPort() + "#" + uid;
    }
}

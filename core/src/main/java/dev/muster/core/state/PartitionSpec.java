package dev.muster.core.state;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * What its users want of a partition, wherever it is.
 *
 * @param instances how many are wanted at least, if there are enough nodes
 * @param most how many there may be under load; the same if load has no say
 * @param hint how many its users expect to be needed; 0 without such a hint
 * @param role which members may host it; empty for all
 * @param policy what is promised while it moves
 */
public record PartitionSpec(int instances, int most, int hint, String role, HandoffPolicy policy) {
    public static final int MOST_INSTANCES = 1_000;

    /** As UTF-8. What reads a table from the wire refuses it whole if a role is longer. */
    public static final int LONGEST_ROLE_BYTES = 255;

    public PartitionSpec {
        if (instances < 1 || instances > MOST_INSTANCES) {
            throw new IllegalArgumentException(
                    "a partition has 1 to " + MOST_INSTANCES + " instances, not " + instances);
        }
        if (most < instances || most > MOST_INSTANCES) {
            throw new IllegalArgumentException("under load a partition may have " + instances + " to " + MOST_INSTANCES
                    + " instances, not " + most);
        }
        if (hint < 0 || hint > MOST_INSTANCES) {
            throw new IllegalArgumentException(
                    "a hint at the number of instances is from 0 to " + MOST_INSTANCES + ", not " + hint);
        }
        requireToTravel(Objects.requireNonNull(role, "role"));
        Objects.requireNonNull(policy, "policy");
    }

    private static void requireToTravel(String role) {
        int bytes = role.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > LONGEST_ROLE_BYTES) {
            throw new IllegalArgumentException(
                    "the role of a partition has at most " + LONGEST_ROLE_BYTES + " bytes as UTF-8, not " + bytes);
        }
    }

    /** So many, whatever the load is. */
    public PartitionSpec(int instances, String role, HandoffPolicy policy) {
        this(instances, instances, 0, role, policy);
    }

    /** Whether the number of instances follows the load. */
    public boolean isScaled() {
        return most > instances;
    }

    /** How many instances its users want, as a sentence. */
    public String wish() {
        String number = isScaled() ? instances + " to " + most : String.valueOf(instances);
        return (most == 1 ? "wanted is 1 instance" : "wanted are " + number + " instances")
                + (hint > 0 ? ", and " + hint + " are expected to be needed" : "");
    }

    /** Whether the two differ only in how many instances they want. Anything else cannot change while it runs. */
    public boolean isAlike(PartitionSpec other) {
        return role.equals(other.role) && policy.equals(other.policy);
    }

    /** Whether this member may host an instance. */
    public boolean fits(Member member) {
        return member.status() == MemberStatus.UP && isOfUse(member);
    }

    /** Whether this member may host an instance now, or once it is up. */
    public boolean mayFit(Member member) {
        return (member.status() == MemberStatus.UP || member.status().isNotYetUp()) && isOfUse(member);
    }

    private boolean isOfUse(Member member) {
        return member.isMuster() && (role.isEmpty() || member.hasRole(role));
    }
}

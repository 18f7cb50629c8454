package dev.muster.core.state;

import java.util.Objects;

/**
 * What its users want of a partition, wherever it is.
 *
 * @param instances how many are wanted, if there are enough nodes
 * @param role which members may host it; empty for all
 * @param policy what is promised while it moves
 */
public record PartitionSpec(int instances, String role, HandoffPolicy policy) {
    public static final int MOST_INSTANCES = 1_000;

    public PartitionSpec {
        if (instances < 1 || instances > MOST_INSTANCES) {
            throw new IllegalArgumentException(
                    "a partition has 1 to " + MOST_INSTANCES + " instances, not " + instances);
        }
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(policy, "policy");
    }

    /** Whether this member may host an instance. */
    public boolean fits(Member member) {
        return member.status() == MemberStatus.UP && member.isMuster() && (role.isEmpty() || member.hasRole(role));
    }
}

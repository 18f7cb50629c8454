package dev.muster.core.partition;

import dev.muster.core.state.PartitionSpec;
import java.util.Objects;

/**
 * Within what the number of instances of a partition may follow its load.
 *
 * @param minimum one more than the nodes whose loss it is to survive
 * @param maximum what the user allows at most
 * @param hint how many a user expects to be needed, 0 without such a hint
 * @param role only members with this role may host it; empty when any may
 */
public record ScalingRange(int minimum, int maximum, int hint, String role) {

    public ScalingRange {
        if (minimum < 1 || maximum < minimum || maximum > PartitionSpec.MOST_INSTANCES) {
            throw new IllegalArgumentException("the number of instances of a partition must range from 1 at least to "
                    + PartitionSpec.MOST_INSTANCES + " at most, not from " + minimum + " to " + maximum);
        }
        if (hint < 0) {
            throw new IllegalArgumentException("a hint at the number of instances must not be negative, was " + hint);
        }
        Objects.requireNonNull(role, "role");
    }

    /** Whether there is nothing to decide: load has no say. */
    public boolean isFixed() {
        return minimum == maximum;
    }

    InstanceCount count() {
        return InstanceCount.survivingUpTo(minimum - 1).withMaximum(maximum);
    }
}

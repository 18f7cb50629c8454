package dev.muster.core.partition;

import java.time.Duration;
import java.util.Objects;

/**
 * How partitions are kept.
 *
 * @param downRemovalMargin how long after the removal of a host its instances start elsewhere, where only one may act
 *     at a time. Longer: the partition is away for longer. Shorter: a host that stood still and does not know yet that
 *     it was removed may still act on the outside world
 * @param mostParallelMoves how many partitions may be on the move at the same time in the whole cluster. More: a node
 *     is emptied faster, and each partition stands still for longer, because all of them start at the same time. To one
 *     host never more than it hosts already, and one
 * @param drainTimeout how long a member that leaves may take to hand over what it hosts. Longer: nothing is cut short.
 *     Shorter: a host that cannot hand over holds nobody up
 * @param rebalance when it is worth moving partitions about
 * @param load how nodes learn how busy the others are
 */
public record PartitionSettings(
        Duration downRemovalMargin,
        int mostParallelMoves,
        Duration drainTimeout,
        RebalanceSettings rebalance,
        LoadSettings load) {
    public PartitionSettings {
        if (downRemovalMargin.isNegative()) {
            throw new IllegalArgumentException("down-removal-margin must not be negative, was " + downRemovalMargin);
        }
        if (mostParallelMoves < 1) {
            throw new IllegalArgumentException("most-parallel-moves must be at least 1, was " + mostParallelMoves);
        }
        if (drainTimeout.isNegative()) {
            throw new IllegalArgumentException("drain-timeout must not be negative, was " + drainTimeout);
        }
        Objects.requireNonNull(load, "load");
    }

    public static PartitionSettings defaults() {
        return new PartitionSettings(
                Duration.ofSeconds(3),
                10,
                Duration.ofSeconds(60),
                RebalanceSettings.defaults(),
                LoadSettings.defaults());
    }

    public PartitionSettings withDownRemovalMargin(Duration next) {
        return new PartitionSettings(next, mostParallelMoves, drainTimeout, rebalance, load);
    }

    public PartitionSettings withMostParallelMoves(int next) {
        return new PartitionSettings(downRemovalMargin, next, drainTimeout, rebalance, load);
    }

    public PartitionSettings withDrainTimeout(Duration next) {
        return new PartitionSettings(downRemovalMargin, mostParallelMoves, next, rebalance, load);
    }

    public PartitionSettings withRebalance(RebalanceSettings next) {
        return new PartitionSettings(downRemovalMargin, mostParallelMoves, drainTimeout, next, load);
    }

    public PartitionSettings withLoad(LoadSettings next) {
        return new PartitionSettings(downRemovalMargin, mostParallelMoves, drainTimeout, rebalance, next);
    }
}

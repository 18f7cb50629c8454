package dev.muster.core.partition;

import java.time.Duration;
import java.util.Objects;

/**
 * How partitions are kept.
 *
 * @param downRemovalMargin how long after the removal of a host its instances start elsewhere, where only one may act
 *     at a time. Longer: the partition is away for longer. Shorter: a host that stood still and does not know yet that
 *     it was removed may still act on the outside world
 * @param load how nodes learn how busy the others are
 */
public record PartitionSettings(Duration downRemovalMargin, LoadSettings load) {
    public PartitionSettings {
        if (downRemovalMargin.isNegative()) {
            throw new IllegalArgumentException("down-removal-margin must not be negative, was " + downRemovalMargin);
        }
        Objects.requireNonNull(load, "load");
    }

    public PartitionSettings(Duration downRemovalMargin) {
        this(downRemovalMargin, LoadSettings.defaults());
    }

    public static PartitionSettings defaults() {
        return new PartitionSettings(Duration.ofSeconds(3));
    }
}

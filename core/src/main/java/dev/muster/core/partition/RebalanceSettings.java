package dev.muster.core.partition;

import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * When it is worth moving partitions about.
 *
 * @param tolerance how much less than the busiest node another one may carry, as a share, before anything moves.
 *     Higher: fewer moves, and more uneven. Lower: more even, and moves on every whim of the load
 * @param whileVersionsDiffer whether to move while members run different versions of the application. Off by default:
 *     in the middle of a rolling upgrade partitions would follow the nodes that come and go, each several times
 * @param interval how often whoever leads looks whether anything is worth moving; empty to do so on command only
 */
public record RebalanceSettings(double tolerance, boolean whileVersionsDiffer, Optional<Duration> interval) {

    public RebalanceSettings {
        if (interval.isPresent()
                && (interval.get().isNegative() || interval.get().isZero())) {
            throw new IllegalArgumentException("rebalance interval must be positive, was " + interval.get());
        }
        if (!(tolerance > 0 && tolerance < 1)) {
            throw new IllegalArgumentException("rebalance tolerance must be between 0 and 1, was " + tolerance);
        }
    }

    /** The versions of the application because of which nothing is evened out, for they differ; none if it is. */
    SortedSet<String> freezing(EligibleNodes nodes) {
        TreeSet<String> versions = nodes.appVersions();
        return whileVersionsDiffer || versions.size() < 2 ? Collections.emptySortedSet() : versions;
    }

    public static RebalanceSettings defaults() {
        return new RebalanceSettings(0.1, false, Optional.of(Duration.ofSeconds(10)));
    }

    public RebalanceSettings withTolerance(double next) {
        return new RebalanceSettings(next, whileVersionsDiffer, interval);
    }

    public RebalanceSettings withWhileVersionsDiffer(boolean next) {
        return new RebalanceSettings(tolerance, next, interval);
    }

    public RebalanceSettings withInterval(Optional<Duration> next) {
        return new RebalanceSettings(tolerance, whileVersionsDiffer, next);
    }
}

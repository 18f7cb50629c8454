package dev.muster.core.handoff;

import java.time.Duration;

/**
 * How partitions move.
 *
 * @param migrationTimeout how long the new host may take to be ready. Longer: a slow start is waited for while messages
 *     wait. Shorter: the move is given up, and the old host goes on
 * @param mostWaiting how many messages may wait for one partition that moves, on each of its two hosts
 * @param mostBytes how many bytes these may have
 */
public record HandoffSettings(Duration migrationTimeout, int mostWaiting, long mostBytes) {
    public HandoffSettings {
        if (migrationTimeout.isNegative() || migrationTimeout.isZero()) {
            throw new IllegalArgumentException("migration-timeout must be positive, was " + migrationTimeout);
        }
        if (mostWaiting < 1 || mostBytes < 1) {
            throw new IllegalArgumentException("at least one message must be allowed to wait for a partition that "
                    + "moves, but the limits were " + mostWaiting + " messages and " + mostBytes + " bytes");
        }
    }

    public static HandoffSettings defaults() {
        return new HandoffSettings(Duration.ofSeconds(15), 10_000, 64L << 20);
    }
}

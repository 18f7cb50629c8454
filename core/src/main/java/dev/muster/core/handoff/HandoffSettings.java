package dev.muster.core.handoff;

import java.time.Duration;

/**
 * How partitions move.
 *
 * @param migrationTimeout how long each step may take until the new host is ready: the old instance to finish, the next
 *     part of the state to arrive, the new instance to start. Longer: a slow start is waited for while messages wait.
 *     Shorter: the move is given up, and the old host goes on
 * @param mostWaiting how many messages may wait for one partition that moves, on each of its two hosts; on one node
 *     four times as many for all partitions together
 * @param mostBytes how many bytes these may have; on one node four times as many
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

    public long mostWaitingOnNode() {
        return (long) Room.FULL_GATES * mostWaiting;
    }

    public long mostBytesOnNode() {
        return mostBytes > Long.MAX_VALUE / Room.FULL_GATES ? Long.MAX_VALUE : Room.FULL_GATES * mostBytes;
    }

    public static HandoffSettings defaults() {
        return new HandoffSettings(Duration.ofSeconds(15), 10_000, 64L << 20);
    }
}

package dev.muster.simulator;

/**
 * The clocks of one process: a monotonic one that runs a little fast or slow, and a wall clock that also jumps.
 *
 * <p>Whole numbers only, so that it ticks alike on every machine.
 */
final class NodeClock {
    private static final long MILLION = 1_000_000;
    private static final long WALL_CLOCK_START_MILLIS = 1_700_000_000_000L;

    private long sinceWorldNanos;
    private long sinceLocalNanos;
    private long driftPartsPerMillion;
    private long wallJumpMillis;

    NodeClock(long worldNanos, long localNanos, long driftPartsPerMillion) {
        this.sinceWorldNanos = worldNanos;
        this.sinceLocalNanos = localNanos;
        this.driftPartsPerMillion = driftPartsPerMillion;
    }

    long localNanos(long worldNanos) {
        long passed = worldNanos - sinceWorldNanos;
        return driftPartsPerMillion == 0
                ? sinceLocalNanos + passed
                : sinceLocalNanos + passed + Math.floorDiv(passed * driftPartsPerMillion, MILLION);
    }

    /** The first moment of the world at which this clock shows at least the given time. */
    long worldNanos(long localNanos) {
        long wanted = localNanos - sinceLocalNanos;
        if (driftPartsPerMillion == 0) {
            return sinceWorldNanos + wanted;
        }
        long guess = sinceWorldNanos + (long) (wanted * (MILLION / (double) (MILLION + driftPartsPerMillion)));
        // The quotient is rounded; walk the last few nanoseconds.
        while (localNanos(guess) >= localNanos) {
            guess -= 2;
        }
        while (localNanos(guess) < localNanos) {
            guess++;
        }
        return guess;
    }

    void changeDrift(long worldNanos, long nextPartsPerMillion) {
        sinceLocalNanos = localNanos(worldNanos);
        sinceWorldNanos = worldNanos;
        driftPartsPerMillion = nextPartsPerMillion;
    }

    void jumpWall(long millis) {
        wallJumpMillis += millis;
    }

    long wallMillis(long worldNanos) {
        return WALL_CLOCK_START_MILLIS + worldNanos / MILLION + wallJumpMillis;
    }
}

package dev.muster.cluster.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/** How often, and after which waits, a node may begin anew. */
final class RejoinPace {
    private static final long HOUR_NANOS = 3_600_000_000_000L;
    private static final long FIRST_MILLIS = 500;
    private static final long LONGEST_MILLIS = 30_000;

    private final int maxPerHour;
    private final Deque<Long> recent = new ArrayDeque<>();
    private int rejoins;

    RejoinPace(int maxPerHour) {
        this.maxPerHour = maxPerHour;
    }

    synchronized boolean mayRejoin(long nowNanos) {
        while (!recent.isEmpty() && nowNanos - recent.peekFirst() > HOUR_NANOS) {
            recent.removeFirst();
        }
        if (recent.size() >= maxPerHour) {
            return false;
        }
        recent.addLast(nowNanos);
        rejoins++;
        return true;
    }

    /** Doubles with each rejoin of the last hour, and differs between nodes that were removed together. */
    synchronized Duration waitBeforeNext(RandomGenerator random) {
        long base = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(10, Math.max(0, recent.size() - 1)));
        return Duration.ofMillis(base / 2 + (long) (random.nextDouble() * base / 2));
    }

    synchronized int rejoins() {
        return rejoins;
    }
}

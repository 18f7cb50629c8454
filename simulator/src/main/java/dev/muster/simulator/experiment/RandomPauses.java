package dev.muster.simulator.experiment;

import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.chance.Dice;
import java.time.Duration;

/**
 * Processes that stand still again and again, each in its own rhythm, as with garbage collections. Every fourth pause
 * is as long as can be: the edge of a promise is where it breaks.
 */
final class RandomPauses {
    private static final long SECONDS = 1_000_000_000L;
    private static final long SHORTEST_BETWEEN_NANOS = 20 * SECONDS;
    private static final long LONGEST_BETWEEN_NANOS = 60 * SECONDS;
    private static final double AS_LONG_AS_CAN_BE = 0.25;

    private final SimulatedCluster cluster;
    private final long longestNanos;
    private final Dice dice;
    private final long[] nextNanos;
    private final boolean[] isPaused;

    RandomPauses(SimulatedCluster cluster, int nodes, Duration longest, Dice dice) {
        this.cluster = cluster;
        this.longestNanos = longest.toNanos();
        this.dice = dice;
        this.nextNanos = new long[nodes];
        this.isPaused = new boolean[nodes];
        for (int slot = 0; slot < nodes; slot++) {
            nextNanos[slot] = cluster.nowNanos() + dice.between(0, LONGEST_BETWEEN_NANOS);
        }
    }

    /** Runs the cluster up to a moment, with pauses. */
    void runUntil(long untilNanos) {
        for (int slot = soonest(); nextNanos[slot] <= untilNanos; slot = soonest()) {
            cluster.runFor(Duration.ofNanos(nextNanos[slot] - cluster.nowNanos()));
            turn(slot);
        }
        cluster.runFor(Duration.ofNanos(untilNanos - cluster.nowNanos()));
    }

    private int soonest() {
        int soonest = 0;
        for (int slot = 1; slot < nextNanos.length; slot++) {
            soonest = nextNanos[slot] < nextNanos[soonest] ? slot : soonest;
        }
        return soonest;
    }

    private void turn(int slot) {
        isPaused[slot] = !isPaused[slot];
        if (isPaused[slot]) {
            cluster.pause(slot);
            nextNanos[slot] += dice.chance(AS_LONG_AS_CAN_BE) ? longestNanos : dice.between(1, longestNanos);
        } else {
            cluster.resume(slot);
            nextNanos[slot] += dice.between(SHORTEST_BETWEEN_NANOS, LONGEST_BETWEEN_NANOS);
        }
    }
}

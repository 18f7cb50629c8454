package dev.muster.simulator.check;

/**
 * What gossip should cost, as formulas, so that a measured run can be compared with what it ought to be.
 *
 * <p>Push-pull gossip doubles the number of nodes that know something in every round, so a change needs about log2 N
 * rounds, and a few more for the last ones.
 */
public final class ClusterMath {
    private ClusterMath() {}

    /** Rounds by which all of N nodes should hold the same version and know it: {@code 3·ceil(log2 N) + 5}. */
    public static int convergenceRounds(int nodes) {
        return 3 * ceilLog2(nodes) + 5;
    }

    /** {@code T_conv(N)} of the invariants, for a gossip interval. */
    public static long convergenceNanos(int nodes, long gossipIntervalNanos) {
        return convergenceRounds(nodes) * gossipIntervalNanos;
    }

    /** Rounds in which a change is expected to reach everybody, without faults: {@code log2 N + ln N}, rounded up. */
    public static int expectedSpreadRounds(int nodes) {
        return nodes < 2 ? 0 : (int) Math.ceil(StrictMath.log(nodes) / StrictMath.log(2) + StrictMath.log(nodes));
    }

    /** Gossip messages in the whole cluster for so many rounds: one out and one answer per node and round. */
    public static long expectedGossipMessages(int nodes, int rounds) {
        return 2L * nodes * rounds;
    }

    /** Heartbeats and replies in the whole cluster for so many intervals. */
    public static long expectedHeartbeatMessages(int nodes, int watchers, int intervals) {
        return 2L * nodes * Math.min(watchers, nodes - 1) * intervals;
    }

    /** {@code T_fd}: by then at least one observer has noticed that a node is gone. */
    public static long detectionNanos(long heartbeatIntervalNanos, long acceptablePauseNanos) {
        return heartbeatIntervalNanos + acceptablePauseNanos + 2_000_000_000L;
    }

    static int ceilLog2(int value) {
        return value <= 1 ? 0 : 32 - Integer.numberOfLeadingZeros(value - 1);
    }
}

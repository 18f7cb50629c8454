package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;

/**
 * What instances weigh in the long run, as a node has learned from the samples that it has seen.
 *
 * <p>A single sample tells little: mailboxes fill and empty, a collection of garbage keeps a node busy for a moment. A
 * plan made on the latest samples would move partitions to and fro for ever. So each sample is believed a little only,
 * and something must have been so for about a minute before much comes of it. Nodes that come and go are seen at once
 * all the same: what wavers is the weight of instances, not who hosts them.
 */
final class DampedWeights {
    /** How much of a difference one sample makes up: after seven of them half, after 22 nine tenths. */
    static final double SHARE = 0.1;

    private final long intervalNanos;
    private Weights weights = Weights.EVEN;
    private double idleWeight;
    private LoadTable seen = LoadTable.EMPTY;
    private long nextNanos = Long.MIN_VALUE;

    DampedWeights(LoadSettings settings) {
        this.intervalNanos = settings.interval().toNanos();
    }

    Weights weights() {
        return weights;
    }

    /** This node does not hear of all nodes any more, and must not go by what it knew once when it does again. */
    void forget() {
        weights = Weights.EVEN;
        idleWeight = 0;
        seen = LoadTable.EMPTY;
        nextNanos = Long.MIN_VALUE;
    }

    /** Whether there is something to learn. Once in an interval is enough: samples come one after the other in it. */
    boolean isDue(LoadTable loads, long nowNanos) {
        return loads != seen && nowNanos >= nextNanos;
    }

    /** @param placement where instances are, or are about to be */
    void learn(LoadTable loads, Placement placement, long nowNanos) {
        LoadEstimate estimate = new LoadEstimate(loads, placement);
        Weights latest = estimate.weights().onlyOf(path -> isNews(path, loads, placement));
        // What an instance weighs by being there is known, and changes for all at once when nodes come and go. To learn
        // it little by little, from one host sooner than from another, would make even loads look uneven.
        double idle = latest.areKnown() ? estimate.idleWeight() : idleWeight;
        weights = weights.shiftedBy(idle - idleWeight).towards(latest, SHARE).onlyOf(placement::has);
        idleWeight = idle;
        seen = loads;
        nextNanos = nowNanos + intervalNanos;
    }

    /** What was measured once counts once: in a large cluster the leader hears of a node only now and then. */
    private boolean isNews(PartitionPath path, LoadTable loads, Placement placement) {
        for (NodeId host : placement.hostsOf(path)) {
            if (!loads.of(host).equals(seen.of(host))) {
                return true;
            }
        }
        return false;
    }
}

package dev.muster.core.partition;

import dev.muster.core.state.NodeId;

/**
 * What a node carries before and after a plan.
 *
 * <p>Load is the weight of its instances; where no weights are known it is their number.
 */
public record NodeLoad(NodeId node, Carried before, Carried after) {

    public record Carried(int instances, double load) {}
}

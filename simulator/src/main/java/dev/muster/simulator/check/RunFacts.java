package dev.muster.simulator.check;

import dev.muster.core.ClusterSettings;
import dev.muster.core.state.NodeAddress;
import java.util.List;
import java.util.SortedSet;

/**
 * What a seed decided about a run.
 *
 * @param settings what (almost) all nodes run with
 * @param initialNodes how many nodes the run starts with
 * @param faultKinds names of the kinds of fault that this run may inject, such as {@code splits}
 * @param liveness whether faults stop and the liveness promises are checked at the end
 * @param seedNodes the seed list that all nodes share
 * @param maxOneWayDelayNanos upper bound of the ordinary one-way delay of links that have no fault on them
 * @param commandedDowns whether operators down nodes by command in this run
 * @param sampled whether expensive checks should be sampled because the world is large (above 200 nodes)
 */
public record RunFacts(
        ClusterSettings settings,
        int initialNodes,
        SortedSet<String> faultKinds,
        boolean liveness,
        List<NodeAddress> seedNodes,
        long maxOneWayDelayNanos,
        boolean commandedDowns,
        boolean sampled) {}

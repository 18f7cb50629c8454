package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;

/**
 * M10, without the count of bytes: what is gossiped does not grow with the past. At the end of a run, where everybody
 * has seen a version, it has at most one clock entry and one row of reachability for each member, and no record of
 * anybody else.
 */
final class BoundedSize implements Checker {

    @Override
    public void atEnd(WorldView world) {
        for (NodeView node : world.runningNodes()) {
            ClusterState state = node.state();
            if (!state.members().isEmpty()
                    && state.seen().count() == state.members().size()) {
                world.countChecks(1);
                check(world, node, state);
            }
        }
    }

    private static void check(WorldView world, NodeView node, ClusterState state) {
        int members = state.members().size();
        int clock = state.version().size();
        int rows = state.reachability().rows().size();
        if (clock > members || rows > members) {
            world.report(
                    "M10",
                    "a state of " + members + " members has " + clock + " clock entries and " + rows
                            + " rows of reachability",
                    node);
        }
    }
}

package dev.muster.simulator.check;

import dev.muster.core.ClusterSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.MemberStatus;

/**
 * B5: whoever was given up by its cluster stops, at the latest when the network is whole again.
 *
 * <p>Once everything has had its time (see {@link Bounds#settledNanos}), no node runs as a member that another running
 * member of the same cluster holds as down or removed. Under auto-down two clusters may have declared each other down
 * for good; there nothing is promised. With manual downing somebody may have quarantined all who could tell it; under
 * every other strategy it then has to find out by itself.
 */
final class LosersStop extends PeriodicChecker {
    private final History history;

    LosersStop(History history) {
        super(5);
        this.history = history;
    }

    @Override
    void look(WorldView world) {
        ClusterSettings settings = world.facts().settings();
        int running = world.runningNodes().size();
        if (settings.downing().strategy() instanceof DowningStrategy.AutoDown
                || history.undisturbedNanos(world) < Bounds.settledNanos(settings, running)) {
            return;
        }
        for (NodeView node : world.runningNodes()) {
            boolean mayKnow =
                    Health.isMember(node) && !node.state().tombstones().isEmpty()
                            || node.state().members().stream().anyMatch(m -> m.status() == MemberStatus.DOWN);
            if (mayKnow) {
                judge(world, node);
            }
        }
    }

    private void judge(WorldView world, NodeView node) {
        world.countChecks(1);
        for (NodeView other : world.runningNodes()) {
            boolean givenUp = node.state().tombstones().has(other.id())
                    || node.state()
                            .members()
                            .find(other.id())
                            .filter(m -> m.status() == MemberStatus.DOWN)
                            .isPresent();
            if (givenUp
                    && Health.isMember(other)
                    && canKnow(world, node, other)
                    && history.clusterOf(other) == history.clusterOf(node)) {
                world.report("B5", other.id() + " still runs although its cluster gave it up", node);
            }
        }
    }

    /** Where no strategy decides about quarantines, they may keep the one from ever hearing of it. */
    private boolean canKnow(WorldView world, NodeView node, NodeView other) {
        return !(world.facts().settings().downing().strategy() instanceof DowningStrategy.Manual)
                || Health.isInTouch(world, node, other, it -> history.clusterOf(it) == history.clusterOf(node));
    }
}

package dev.muster.simulator.check;

import dev.muster.core.ClusterSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * B2 and B8: of a cluster that fell apart at most one part goes on.
 *
 * <p>Looks for two running nodes of one cluster, each converged on a state from which the other is missing, and gives
 * them the time to stop in. Where operators declare nodes down by command they may do that to a cluster on purpose, and
 * manual downing leaves everything to them. Auto-down does it by nature: that is noted as a situation which must occur,
 * lest the scenarios have become too tame to tell the strategies apart.
 */
final class OneClusterAfterDowning extends PeriodicChecker {
    private final History history;
    private long splitSinceNanos = Long.MAX_VALUE;

    OneClusterAfterDowning(History history) {
        super(2);
        this.history = history;
    }

    @Override
    void look(WorldView world) {
        List<NodeView> views = differentViews(world);
        NodeView[] pair = views.size() < 2 ? null : twoWinners(views);
        world.countChecks(1);
        if (pair == null) {
            splitSinceNanos = Long.MAX_VALUE;
            return;
        }
        splitSinceNanos = Math.min(splitSinceNanos, world.nowNanos());
        judge(world, pair);
    }

    private static List<NodeView> differentViews(WorldView world) {
        Set<VectorClock> versions = Collections.newSetFromMap(new IdentityHashMap<>());
        List<NodeView> views = new ArrayList<>();
        for (NodeView node : world.runningNodes()) {
            if (!node.isPaused()
                    && Health.isMember(node)
                    && versions.add(node.state().version())) {
                views.add(node);
            }
        }
        return views;
    }

    private NodeView[] twoWinners(List<NodeView> views) {
        for (int i = 0; i < views.size(); i++) {
            for (int j = i + 1; j < views.size(); j++) {
                NodeView one = views.get(i);
                NodeView other = views.get(j);
                if (!one.state().members().has(other.id())
                        && !other.state().members().has(one.id())
                        && history.clusterOf(one) == history.clusterOf(other)
                        && one.snapshot().converged()
                        && other.snapshot().converged()) {
                    return new NodeView[] {one, other};
                }
            }
        }
        return null;
    }

    private void judge(WorldView world, NodeView[] pair) {
        ClusterSettings settings = world.facts().settings();
        DowningStrategy strategy = settings.downing().strategy();
        if (strategy instanceof DowningStrategy.AutoDown) {
            world.reached("auto-down split brain");
            return;
        }
        long bound = Bounds.selfStopNanos(settings)
                + Bounds.convergenceNanos(settings, pair[0].state().members().size());
        boolean excused =
                strategy instanceof DowningStrategy.Manual || world.facts().commandedDowns();
        if (!excused && world.nowNanos() - splitSinceNanos > bound) {
            world.report(
                    "B2",
                    "two clusters go on under " + strategy.name() + ": " + pair[0].id() + " with "
                            + pair[0].state().members() + " and " + pair[1].id() + " with "
                            + pair[1].state().members(),
                    pair[0]);
        }
    }
}

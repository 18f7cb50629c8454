package dev.muster.simulator.check;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.HeartbeatMessage.Heartbeat;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeAddress;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * F4 and F8: everybody is watched by enough others, and nobody is watched who is gone.
 *
 * <p>Counted by the heartbeats that are really sent, over three intervals in which the cluster agrees and is
 * undisturbed: each member gets them from at least as many others as the settings say, or from all. And at no look does
 * a node keep more detectors than its state has members.
 */
final class Monitoring extends PeriodicChecker {
    private final Quiescence quiescence;
    private final Map<NodeAddress, BitSet> watchers = new HashMap<>();
    private long countingSinceNanos = -1;
    private boolean counted;

    Monitoring(Quiescence quiescence) {
        super(1);
        this.quiescence = quiescence;
    }

    @Override
    public void onStep(Step step) {
        super.onStep(step);
        if (countingSinceNanos < 0) {
            return;
        }
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.SendMessage send && send.message() instanceof Heartbeat) {
                watchers.computeIfAbsent(send.to(), a -> new BitSet())
                        .set(step.node().number());
            }
        }
    }

    @Override
    void look(WorldView world) {
        if (!quiescence.isArmed()) {
            countingSinceNanos = -1;
            counted = false;
            return;
        }
        if (counted) {
            return;
        }
        long window = 3 * world.facts().settings().failure().heartbeatInterval().toNanos();
        if (countingSinceNanos < 0) {
            watchers.clear();
            countingSinceNanos = world.nowNanos();
        } else if (world.nowNanos() - countingSinceNanos >= window) {
            judge(world);
            counted = true;
            countingSinceNanos = -1;
        }
    }

    private void judge(WorldView world) {
        for (NodeView node : world.runningNodes()) {
            ClusterState state = node.state();
            int detectors = world.facts().sampled() ? 0 : node.snapshot().detectors();
            world.countChecks(2);
            if (detectors > state.members().size()) {
                world.report(
                        "F8",
                        "keeps " + detectors + " detectors for "
                                + state.members().size() + " members",
                        node);
            }
            int wanted = Math.min(
                    node.settings().failure().monitoredByNrOfMembers(),
                    state.members().size() - 1);
            int has = watchers.getOrDefault(node.address(), new BitSet()).cardinality();
            Member self = state.members().find(node.id()).orElse(null);
            if (self != null && has < wanted) {
                world.report("F4", "is watched by " + has + " others instead of " + wanted, node);
            }
        }
    }
}

package dev.muster.simulator.check;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;

/**
 * C8: a cluster that agrees, and that nobody disturbs, falls silent: no new version, and no state is sent, only
 * digests.
 *
 * <p>Armed when every running node is a member in a state that all its members have seen, in which everybody is up,
 * nobody is accused and no tombstone waits to be let go, and when that has been so for a few rounds, so that nothing
 * old is under way any more. Disarmed by whatever comes from outside.
 */
final class Quiescence extends PeriodicChecker {
    private static final int SETTLING_ROUNDS = 6;

    private final History history;
    private long calmSinceNanos = Long.MAX_VALUE;
    private boolean armed;

    Quiescence(History history) {
        super(1);
        this.history = history;
    }

    /** Whether nothing should be going on. */
    boolean isArmed() {
        return armed;
    }

    @Override
    public void onStep(Step step) {
        super.onStep(step);
        if (armed) {
            if (history.undisturbedNanos(step.world()) == 0) {
                disarm();
            } else {
                check(step);
            }
        }
    }

    @Override
    public void onProcess(ProcessChange change) {
        disarm();
    }

    private void disarm() {
        armed = false;
        calmSinceNanos = Long.MAX_VALUE;
    }

    private void check(Step step) {
        if (step.changedVersion()
                && !step.before().version().equals(step.after().version())) {
            report(
                    step,
                    "changed version " + step.before().version() + " to "
                            + step.after().version() + " on " + step.input());
        }
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.SendMessage send && send.message() instanceof GossipState) {
                report(step, "sent its whole state to " + send.to() + " on " + step.input());
            }
        }
    }

    private void report(Step step, String what) {
        long calm = (step.world().nowNanos() - calmSinceNanos) / 1_000_000;
        step.world()
                .report("C8", what + " after " + calm + " ms in which all agreed and nothing happened", step.node());
        disarm();
    }

    @Override
    void look(WorldView world) {
        long now = world.nowNanos();
        long round = Bounds.roundNanos(world.facts().settings());
        long settling = SETTLING_ROUNDS * round + 2 * world.facts().maxOneWayDelayNanos();
        if (armed) {
            world.countChecks(1);
            return;
        }
        if (history.undisturbedNanos(world) < settling || history.unchangedNanos(world) < settling || !isCalm(world)) {
            calmSinceNanos = Long.MAX_VALUE;
            return;
        }
        calmSinceNanos = Math.min(calmSinceNanos, now);
        armed = now - calmSinceNanos >= settling;
    }

    private static boolean isCalm(WorldView world) {
        ClusterState last = null;
        for (NodeView node : world.runningNodes()) {
            ClusterState state = node.state();
            if (node.isHostile() || node.isPaused() || !state.members().has(node.id())) {
                return false;
            }
            if (state != last && !isCalm(world, state)) {
                return false;
            }
            last = state;
        }
        return last != null;
    }

    private static boolean isCalm(WorldView world, ClusterState state) {
        if (state.seen().count() != state.members().size()
                || !state.tombstones().isEmpty()
                || !state.reachability().isAllReachable()) {
            return false;
        }
        for (Member member : state.members()) {
            NodeView other = world.node(member.id()).orElse(null);
            boolean agrees = member.status() == MemberStatus.UP
                    && other != null
                    && other.isRunning()
                    && other.state().version().equals(state.version());
            if (!agrees) {
                return false;
            }
        }
        return true;
    }
}

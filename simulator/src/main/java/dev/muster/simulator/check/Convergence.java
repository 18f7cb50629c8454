package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.VectorClock;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * C6 and C7: left alone, members agree, and newcomers become up.
 *
 * <p>Judged once the world has been undisturbed for the stated time: no fault, no command, no process that came or
 * went. It speaks of states that nothing blocks (see {@link Health#isUnblocked}): then all members that stay hold the
 * same version, seen by all of them, within the time of convergence after the last change that anybody made; and within
 * twice that time nobody who could be up is still waiting.
 */
final class Convergence extends PeriodicChecker {
    private final History history;

    Convergence(History history) {
        super(1);
        this.history = history;
    }

    @Override
    void look(WorldView world) {
        long undisturbed = history.undisturbedNanos(world);
        if (undisturbed < Bounds.convergenceNanos(world.facts().settings(), 2)) {
            return;
        }
        Set<VectorClock> judged = Collections.newSetFromMap(new IdentityHashMap<>());
        for (NodeView node : world.runningNodes()) {
            if (Health.isMember(node) && judged.add(node.state().version())) {
                judge(world, node, undisturbed);
            }
        }
    }

    private void judge(WorldView world, NodeView node, long undisturbed) {
        ClusterState state = node.state();
        long bound = Bounds.convergenceNanos(node.settings(), state.members().size());
        if (undisturbed < bound || !Health.isUnblocked(world, state)) {
            return;
        }
        world.countChecks(2);
        if (history.unchangedNanos(world) >= bound) {
            judgeAgreement(world, node, state);
        }
        if (undisturbed >= 2 * bound
                && Health.hasEnoughMembers(state, node.settings().lifecycle())) {
            judgeNewcomers(world, node, state, undisturbed);
        }
    }

    private static void judgeAgreement(WorldView world, NodeView node, ClusterState state) {
        for (Member member : state.members()) {
            if (Health.isGoing(member)) {
                continue;
            }
            NodeView other = world.node(member.id()).orElseThrow();
            if (Health.hasQuarantined(other, node)) {
                continue; // it will never speak with this one again, and downing has yet to decide which of the two
                // goes
            }
            if (!other.state().version().equals(state.version())) {
                world.report(
                        "C6",
                        "holds version " + state.version() + " while " + member + " holds "
                                + other.state().version() + ", long after the last change",
                        node);
                return;
            }
            if (!state.isSeenBy(member.id())) {
                world.report(
                        "C6",
                        "does not know that " + member + " has seen version " + state.version()
                                + ", long after the last change",
                        node);
                return;
            }
        }
    }

    private static void judgeNewcomers(WorldView world, NodeView node, ClusterState state, long undisturbed) {
        for (Member member : state.members()) {
            if (member.status().isNotYetUp()) {
                world.report(
                        "C7",
                        member + " in version " + state.version() + " is still not up after " + undisturbed / 1_000_000
                                + " ms in which nothing stood in its way",
                        node);
                return;
            }
        }
    }
}

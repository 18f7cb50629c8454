package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.VectorClock;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * C6 and C7: left alone, members agree, and newcomers become up.
 *
 * <p>Judged once the world has been undisturbed for the stated time: no fault, no command, no process that came or
 * went. It speaks of states that nothing blocks (see {@link Health#isUnblocked}): then all members that stay hold the
 * same version, seen by all of them, within the time of convergence after the last change that anybody made; and within
 * twice that time nobody who could be up is still waiting.
 *
 * <p>Those whom a quarantine has cut off from each other for good, with nobody in between, cannot agree; C6 speaks of
 * members that can talk. Downing has yet to decide which of them goes.
 *
 * <p>A newcomer's time counts from when nothing stood in its way any more, and it was there. A world that has long been
 * quiet may still have to remove its dead before anybody can become up; and somebody whom they kept out, such as one
 * with the uid of a dead member, is let in at that very moment.
 */
final class Convergence extends PeriodicChecker {
    private final History history;
    /** Since when each newcomer has been held as one by somebody, with nothing in its way. */
    private final Map<NodeId, Long> waitingSinceNanos = new HashMap<>();

    Convergence(History history) {
        super(1);
        this.history = history;
    }

    @Override
    void look(WorldView world) {
        long undisturbed = history.undisturbedNanos(world);
        Set<VectorClock> judged = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<NodeId> waiting = new HashSet<>();
        for (NodeView node : world.runningNodes()) {
            if (Health.isMember(node)
                    && judged.add(node.state().version())
                    && Health.isUnblocked(world, node.state())) {
                judge(world, node, undisturbed, waiting);
            }
        }
        waitingSinceNanos.keySet().retainAll(waiting);
    }

    private void judge(WorldView world, NodeView node, long undisturbed, Set<NodeId> waiting) {
        ClusterState state = node.state();
        long bound = Bounds.convergenceNanos(node.settings(), state.members().size());
        world.countChecks(undisturbed < bound ? 0 : 2);
        if (undisturbed >= bound && history.unchangedNanos(world) >= bound) {
            judgeAgreement(world, node, state);
        }
        if (Health.hasEnoughMembers(state, node.settings().lifecycle())) {
            for (Member member : state.members()) {
                if (member.status().isNotYetUp()) {
                    waiting.add(member.id());
                    long since = waitingSinceNanos.computeIfAbsent(member.id(), id -> world.nowNanos());
                    judgeNewcomer(world, node, member, Math.min(undisturbed, world.nowNanos() - since), 2 * bound);
                }
            }
        }
    }

    private static void judgeAgreement(WorldView world, NodeView node, ClusterState state) {
        for (Member member : state.members()) {
            if (Health.isGoing(member)) {
                continue;
            }
            NodeView other = world.node(member.id()).orElseThrow();
            boolean differs = !other.state().version().equals(state.version());
            if (differs
                    && Health.isInTouch(
                            world, node, other, it -> state.members().has(it.id()))) {
                world.report(
                        "C6",
                        "holds version " + state.version() + " while " + member + " holds "
                                + other.state().version() + ", long after the last change",
                        node);
                return;
            }
            if (differs) {
                continue;
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

    private static void judgeNewcomer(WorldView world, NodeView node, Member member, long waited, long bound) {
        if (waited >= bound) {
            world.report(
                    "C7",
                    member + " in version " + node.state().version() + " is still not up after " + waited / 1_000_000
                            + " ms in which nothing stood in its way",
                    node);
        }
    }
}

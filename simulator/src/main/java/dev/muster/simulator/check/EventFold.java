package dev.muster.simulator.check;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * L8 and R3: subscribers are told exactly what changed. Folding the events of a step onto the state before it gives the
 * state after it: nothing left out, nothing said twice, lives in order, reachable only when nobody accuses any more,
 * and the leader named whenever it is another one. Each member is told as removed once, and not before it was told of;
 * who came and went within one step must have left a tombstone.
 */
final class EventFold implements Checker {
    private final StepReader reader;
    private final Map<Integer, Set<NodeId>> toldAsRemoved = new HashMap<>();

    EventFold(StepReader reader) {
        this.reader = reader;
    }

    @Override
    public void onStep(Step step) {
        boolean same = step.before().members() == step.after().members()
                && step.before().reachability() == step.after().reachability();
        if (same ? !tellsOfChanges(step) : Sampling.skips(step.world())) {
            return;
        }
        Map<NodeId, MemberStatus> lastTold = new HashMap<>();
        Set<NodeId> unreachable = new HashSet<>(LeaderRule.accusedIn(step.before()));
        Optional<NodeId> leader = leaderOf(step.before(), step.node().id());
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published
                    && published.event() instanceof ClusterEvent.Change event) {
                if (event instanceof ClusterEvent.MemberEvent told) {
                    fold(step, lastTold, told);
                    unreachable.remove(
                            told instanceof ClusterEvent.MemberRemoved
                                    ? told.member().id()
                                    : null);
                } else if (event instanceof ClusterEvent.LeaderChanged told) {
                    leader = foldLeader(step, leader, told);
                } else {
                    foldReachability(step, unreachable, event);
                }
            }
        }
        step.world().countChecks(1);
        checkMembers(step, lastTold);
        checkReachability(step, unreachable);
        checkLeader(step, leader);
    }

    private static boolean tellsOfChanges(Step step) {
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published && published.event() instanceof ClusterEvent.Change) {
                return true;
            }
        }
        return false;
    }

    private static Optional<NodeId> foldLeader(Step step, Optional<NodeId> before, ClusterEvent.LeaderChanged told) {
        if (told.leader().equals(before)) {
            step.world().report("L8", "subscribers were told again that the leader is " + before, step.node());
        }
        return told.leader();
    }

    private static void foldReachability(Step step, Set<NodeId> unreachable, ClusterEvent.Change event) {
        if (event instanceof ClusterEvent.UnreachableMember told
                && !unreachable.add(told.member().id())) {
            step.world().report("L8", "told as unreachable, but nothing new: " + told.member(), step.node());
        } else if (event instanceof ClusterEvent.ReachableMember told
                && !unreachable.remove(told.member().id())) {
            step.world()
                    .report("R3", "told as reachable, but never told as unreachable: " + told.member(), step.node());
        }
    }

    private void fold(Step step, Map<NodeId, MemberStatus> lastTold, ClusterEvent.MemberEvent told) {
        Member member = told.member();
        MemberStatus status = told instanceof ClusterEvent.MemberRemoved ? MemberStatus.REMOVED : member.status();
        MemberStatus before =
                step.before().members().find(member.id()).map(Member::status).orElse(null);
        MemberStatus earlier = lastTold.getOrDefault(member.id(), before);
        if (earlier != null && status.compareTo(earlier) <= 0) {
            step.world().report("L8", "subscribers were told " + told + " after " + earlier.displayName(), step.node());
        }
        Set<NodeId> removed = toldAsRemoved.computeIfAbsent(step.node().number(), n -> new HashSet<>());
        boolean wasRemoved = status == MemberStatus.REMOVED ? !removed.add(member.id()) : removed.contains(member.id());
        if (wasRemoved || status == MemberStatus.REMOVED && earlier == null) {
            step.world()
                    .report(
                            "L8",
                            "subscribers were told " + told
                                    + (wasRemoved ? " of one who was removed before" : " of one they never heard of"),
                            step.node());
        }
        lastTold.put(member.id(), status);
    }

    private void checkMembers(Step step, Map<NodeId, MemberStatus> lastTold) {
        for (MemberChange change : reader.read(step).changes()) {
            MemberStatus told = lastTold.remove(change.id());
            if (change.changesStatus() && told != change.to()) {
                step.world().report("L8", change + ", but subscribers were told " + told, step.node());
            }
        }
        // Who came and went within one step is told of too, though only its tombstone is left of it.
        lastTold.entrySet()
                .removeIf(told -> told.getValue() == MemberStatus.REMOVED
                        && !step.before().members().has(told.getKey())
                        && step.after().tombstones().has(told.getKey()));
        if (!lastTold.isEmpty()) {
            step.world().report("L8", "subscribers were told of changes that there were not: " + lastTold, step.node());
        }
    }

    private static void checkReachability(Step step, Set<NodeId> told) {
        Set<NodeId> after = LeaderRule.accusedIn(step.after());
        if (!told.equals(after)) {
            step.world().report("L8", "unreachable are " + after + ", but subscribers hold " + told, step.node());
        }
    }

    private static void checkLeader(Step step, Optional<NodeId> told) {
        Optional<NodeId> after = leaderOf(step.after(), step.node().id());
        if (!told.equals(after)) {
            step.world().report("L8", "the leader is " + after + ", but subscribers hold " + told, step.node());
        }
    }

    private static Optional<NodeId> leaderOf(ClusterState state, NodeId self) {
        return LeaderRule.leaderOf(state, self);
    }
}

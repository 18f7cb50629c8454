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
 * and the leader named whenever it is another one.
 */
final class EventFold implements Checker {
    private final StepReader reader;

    EventFold(StepReader reader) {
        this.reader = reader;
    }

    @Override
    public void onStep(Step step) {
        boolean same = step.before().members() == step.after().members()
                && step.before().reachability() == step.after().reachability();
        if (same ? step.effects().isEmpty() : Sampling.skips(step.world())) {
            return;
        }
        Map<NodeId, MemberStatus> lastTold = new HashMap<>();
        Set<NodeId> unreachable = new HashSet<>();
        Set<NodeId> reachable = new HashSet<>();
        Optional<NodeId> leader = null;
        for (Effect effect : step.effects()) {
            if (effect instanceof Effect.PublishEvent published
                    && published.event() instanceof ClusterEvent.Change event) {
                if (event instanceof ClusterEvent.MemberEvent told) {
                    fold(step, lastTold, told);
                } else if (event instanceof ClusterEvent.UnreachableMember told) {
                    unreachable.add(told.member().id());
                } else if (event instanceof ClusterEvent.ReachableMember told) {
                    reachable.add(told.member().id());
                } else if (event instanceof ClusterEvent.LeaderChanged told) {
                    leader = told.leader();
                }
            }
        }
        if (same && lastTold.isEmpty() && unreachable.isEmpty() && reachable.isEmpty() && leader == null) {
            return;
        }
        step.world().countChecks(1);
        checkMembers(step, lastTold);
        checkReachability(step, unreachable, reachable);
        checkLeader(step, leader);
    }

    private static void fold(Step step, Map<NodeId, MemberStatus> lastTold, ClusterEvent.MemberEvent told) {
        Member member = told.member();
        MemberStatus status = told instanceof ClusterEvent.MemberRemoved ? MemberStatus.REMOVED : member.status();
        MemberStatus before = step.before().members().find(member.id()).map(Member::status).orElse(null);
        MemberStatus earlier = lastTold.getOrDefault(member.id(), before);
        if (earlier != null && status.compareTo(earlier) <= 0) {
            step.world().report("L8", "subscribers were told " + told + " after " + earlier.displayName(), step.node());
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
        if (!lastTold.isEmpty()) {
            step.world().report("L8", "subscribers were told of changes that there were not: " + lastTold, step.node());
        }
    }

    private static void checkReachability(Step step, Set<NodeId> unreachable, Set<NodeId> reachable) {
        Set<NodeId> before = LeaderRule.accusedIn(step.before());
        Set<NodeId> after = LeaderRule.accusedIn(step.after());
        for (NodeId id : after) {
            if (!before.contains(id) && !unreachable.remove(id)) {
                step.world().report("L8", id + " became unreachable, but subscribers were not told", step.node());
            }
        }
        for (NodeId id : before) {
            if (!after.contains(id) && step.after().members().has(id) && !reachable.remove(id)) {
                step.world().report("L8", id + " became reachable, but subscribers were not told", step.node());
            }
        }
        unreachable.removeIf(id -> !before.contains(id) && after.contains(id));
        reachable.removeIf(id -> before.contains(id) && !after.contains(id));
        if (!unreachable.isEmpty()) {
            step.world().report("L8", "told as unreachable, but nothing new: " + unreachable, step.node());
        }
        if (!reachable.isEmpty()) {
            step.world().report("R3", "told as reachable, but still accused or never was: " + reachable, step.node());
        }
    }

    private static void checkLeader(Step step, Optional<NodeId> told) {
        NodeId self = step.node().id();
        Optional<NodeId> before = leaderOf(step.before(), self);
        Optional<NodeId> after = leaderOf(step.after(), self);
        boolean rightlyTold = told == null ? before.equals(after) : told.equals(after) && !before.equals(after);
        if (!rightlyTold) {
            step.world().report("L8", "the leader went from " + before + " to " + after + ", but subscribers were told "
                    + told, step.node());
        }
    }

    private static Optional<NodeId> leaderOf(ClusterState state, NodeId self) {
        return LeaderRule.leaderOf(state, self);
    }
}

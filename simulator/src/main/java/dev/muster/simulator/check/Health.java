package dev.muster.simulator.check;

import dev.muster.core.membership.LifecycleSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Preconditions of the liveness promises, judged by what really runs. */
final class Health {
    private Health() {}

    static boolean isMember(NodeView node) {
        return !node.isHostile() && node.state().members().has(node.id());
    }

    /**
     * Whether nothing stands in the way of agreement on what this state says: every member that is not on its way out
     * really runs, and nobody accuses any of them. Where dead members remain, agreement has to wait for them to be
     * declared down; with manual downing it waits for ever, and rightly so.
     */
    static boolean isUnblocked(WorldView world, ClusterState state) {
        for (Member member : state.members()) {
            if (!isGoing(member) && !runs(world, member)) {
                return false;
            }
        }
        return LeaderRule.accusedIn(state).stream()
                .allMatch(id -> state.members().statusOf(id).compareTo(MemberStatus.EXITING) >= 0);
    }

    static boolean isGoing(Member member) {
        return member.status() == MemberStatus.EXITING || member.status() == MemberStatus.DOWN;
    }

    static boolean runs(WorldView world, Member member) {
        return world.node(member.id())
                .filter(node -> node.isRunning() && !node.isPaused() && !node.isHostile())
                .isPresent();
    }

    /** Whether there are enough members for anybody to become up. */
    static boolean hasEnoughMembers(ClusterState state, LifecycleSettings settings) {
        return staying(state, "") >= settings.minNrOfMembers()
                && settings.minNrOfMembersPerRole().entrySet().stream()
                        .allMatch(minimum -> staying(state, minimum.getKey()) >= minimum.getValue());
    }

    private static long staying(ClusterState state, String role) {
        return state.members().stream()
                .filter(member -> !isGoing(member) && (role.isEmpty() || member.hasRole(role)))
                .count();
    }

    /**
     * Whether what the one says can still come to the other. Two of whom one has quarantined the other never speak
     * again; but somebody who is on speaking terms with both passes on what it hears.
     *
     * @param passesOn whether a running node belongs to them
     */
    static boolean isInTouch(WorldView world, NodeView one, NodeView other, Predicate<NodeView> passesOn) {
        Set<NodeView> reached = new HashSet<>(List.of(one));
        Deque<NodeView> open = new ArrayDeque<>(reached);
        while (!open.isEmpty() && !reached.contains(other)) {
            NodeView next = open.remove();
            for (NodeView peer : world.runningNodes()) {
                if (passesOn.test(peer)
                        && !hasQuarantined(next, peer)
                        && !hasQuarantined(peer, next)
                        && reached.add(peer)) {
                    open.add(peer);
                }
            }
        }
        return reached.contains(other);
    }

    private static boolean hasQuarantined(NodeView holder, NodeView subject) {
        return holder.state().reachability().statusOf(holder.id(), subject.id()) == ReachabilityStatus.TERMINATED;
    }
}

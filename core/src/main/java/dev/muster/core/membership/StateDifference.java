package dev.muster.core.membership;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effects;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The events between two successive states of one node. Whoever folds them has the node's view; the difference to the
 * empty state gives the current state as events.
 *
 * <p>Specification: "Member States", "Failure Detection and Unreachability".
 */
public final class StateDifference {
    private StateDifference() {}

    public static void publish(ClusterState before, ClusterState after, NodeId self, Effects effects) {
        boolean membersChanged = before.members() != after.members();
        if (!membersChanged && before.reachability() == after.reachability()) {
            return;
        }
        if (membersChanged) {
            publishMembers(before.members(), after.members(), effects);
        }
        publishReachability(after.members(), before.unreachable(), after.unreachable(), effects);
        publishLeaders(before, after, self, effects);
    }

    private static void publishMembers(Members before, Members after, Effects effects) {
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            int order = i == before.size()
                    ? 1
                    : j == after.size() ? -1 : before.get(i).compareTo(after.get(j));
            Member was = order <= 0 ? before.get(i++) : null;
            Member is = order >= 0 ? after.get(j++) : null;
            if (is == null) {
                effects.publish(new ClusterEvent.MemberRemoved(was, was.status()));
            } else if (was == null || was != is && was.status() != is.status()) {
                effects.publish(eventOf(is));
            }
        }
    }

    private static ClusterEvent eventOf(Member member) {
        return switch (member.status()) {
            case JOINING -> new ClusterEvent.MemberJoined(member);
            case WEAKLY_UP -> new ClusterEvent.MemberWeaklyUp(member);
            case UP -> new ClusterEvent.MemberUp(member);
            case PREPARING_FOR_SHUTDOWN -> new ClusterEvent.MemberPreparingForShutdown(member);
            case LEAVING -> new ClusterEvent.MemberLeft(member);
            case EXITING -> new ClusterEvent.MemberExited(member);
            case DOWN -> new ClusterEvent.MemberDowned(member);
            case READY_FOR_SHUTDOWN -> new ClusterEvent.MemberReadyForShutdown(member);
            case REMOVED -> throw new IllegalStateException(member.id() + " has a row although it was removed");
        };
    }

    private static void publishReachability(
            Members after, SortedSet<NodeId> was, SortedSet<NodeId> is, Effects effects) {
        for (NodeId id : is) {
            if (!was.contains(id)) {
                after.find(id).ifPresent(m -> effects.publish(new ClusterEvent.UnreachableMember(m)));
            }
        }
        for (NodeId id : was) {
            if (!is.contains(id)) {
                after.find(id).ifPresent(m -> effects.publish(new ClusterEvent.ReachableMember(m)));
            }
        }
    }

    private static void publishLeaders(ClusterState before, ClusterState after, NodeId self, Effects effects) {
        Optional<NodeId> leader = Leader.of(after, self);
        if (!leader.equals(Leader.of(before, self))) {
            effects.publish(new ClusterEvent.LeaderChanged(leader));
        }
        SortedMap<String, NodeId> were = Leader.ofRoles(before, self);
        SortedMap<String, NodeId> are = Leader.ofRoles(after, self);
        if (were.equals(are)) {
            return;
        }
        SortedMap<String, NodeId> both = new TreeMap<>(were);
        both.putAll(are);
        for (String role : both.keySet()) {
            Optional<NodeId> roleLeader = Optional.ofNullable(are.get(role));
            if (!roleLeader.equals(Optional.ofNullable(were.get(role)))) {
                effects.publish(new ClusterEvent.RoleLeaderChanged(role, roleLeader));
            }
        }
    }
}

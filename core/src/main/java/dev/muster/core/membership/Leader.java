package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Who leads: a function of the state that every member computes alike. Nobody is elected.
 *
 * <p>The first reachable member in member order that is up or leaving; while there is none, the first by how far it is
 * from being up. A node that looks at itself never counts itself as unreachable, so that it can lead what is left of
 * its side. Specification: "Leader".
 */
public final class Leader {
    private Leader() {}

    public static Optional<NodeId> of(ClusterState state, NodeId self) {
        return among(state, self, member -> true);
    }

    /** The leader if only members that pass the filter could lead. */
    public static Optional<NodeId> among(ClusterState state, NodeId self, Predicate<Member> filter) {
        boolean allReachable = state.reachability().isAllReachable();
        Member best = null;
        for (Member member : state.members()) {
            if ((best == null || rank(member) < rank(best))
                    && member.status() != MemberStatus.DOWN
                    && filter.test(member)
                    && (allReachable || member.id().equals(self) || state.isReachable(member.id()))) {
                best = member;
                if (rank(best) == 0) {
                    break;
                }
            }
        }
        return Optional.ofNullable(best).map(Member::id);
    }

    /** The leader of each role, by the same rule. The data center is no role here: it has the cluster's leader. */
    public static SortedMap<String, NodeId> ofRoles(ClusterState state, NodeId self) {
        SortedMap<String, NodeId> leaders = new TreeMap<>();
        for (String role : state.members().userRoles()) {
            among(state, self, m -> m.hasRole(role)).ifPresent(leader -> leaders.put(role, leader));
        }
        return leaders;
    }

    private static int rank(Member member) {
        return switch (member.status()) {
            case UP, LEAVING, PREPARING_FOR_SHUTDOWN, READY_FOR_SHUTDOWN -> 0;
            case DOWN, REMOVED -> 1;
            case WEAKLY_UP -> 2;
            case JOINING -> 3;
            case EXITING -> 4;
        };
    }
}

package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.function.Predicate;

/**
 * What the leader does to a converged state: it moves members in and out. Pure decisions; whoever calls knows whether
 * this node leads and whether the state has converged.
 *
 * <p>Specification: "Leader Actions", "Membership Lifecycle".
 */
public final class LeaderDuties {
    private final NodeId self;
    private final LifecycleSettings settings;

    public LeaderDuties(NodeId self, LifecycleSettings settings) {
        this.self = self;
        this.settings = settings;
    }

    /** The same where nobody has anything to hand over. */
    public ClusterState onConvergence(ClusterState state, SortedSet<NodeId> exitConfirmed, long stampMillis) {
        return onConvergence(state, exitConfirmed, anybody -> true, stampMillis);
    }

    /**
     * All that convergence allows, as one change; the same state when there is nothing to do.
     *
     * @param mayMoveOn whether a newcomer has the partition table, or a member that leaves has handed over what it has
     */
    public ClusterState onConvergence(
            ClusterState state, SortedSet<NodeId> exitConfirmed, Predicate<Member> mayMoveOn, long stampMillis) {
        List<NodeId> removed = removable(state, exitConfirmed);
        Members members = movedOn(state, mayMoveOn);
        if (!removed.isEmpty()) {
            return state.withRemoved(self, members, removed, stampMillis);
        }
        return members == state.members() ? state : state.changed(self, members, state.reachability());
    }

    /** Who is down, and who is exiting and either said that it is finished or has fallen silent. */
    private List<NodeId> removable(ClusterState state, SortedSet<NodeId> exitConfirmed) {
        List<NodeId> removable = new ArrayList<>();
        for (Member member : state.members()) {
            NodeId id = member.id();
            boolean gone = member.status() == MemberStatus.DOWN
                    || member.status() == MemberStatus.EXITING
                            && (exitConfirmed.contains(id) || !state.isReachable(id));
            // A leader that is itself exiting goes by stopping, not by its own hand.
            if (gone && !id.equals(self)) {
                removable.add(id);
            }
        }
        return removable;
    }

    private Members movedOn(ClusterState state, Predicate<Member> mayMoveOn) {
        boolean mayBecomeUp = enoughMembers(state);
        int[] upNumber = {highestUpNumber(state)};
        return state.members().mapping(member -> switch (member.status()) {
            case JOINING, WEAKLY_UP -> mayBecomeUp && mayMoveOn.test(member) ? member.up(++upNumber[0]) : member;
            case LEAVING -> mayMoveOn.test(member) ? member.withStatus(MemberStatus.EXITING) : member;
            default -> member;
        });
    }

    /** While unreachable members block convergence, those who wait can at least be weakly up. */
    public ClusterState whileBlocked(ClusterState state) {
        if (!enoughMembers(state)) {
            return state;
        }
        Members members = state.members()
                .mapping(member -> member.status() == MemberStatus.JOINING && state.isReachable(member.id())
                        ? member.withStatus(MemberStatus.WEAKLY_UP)
                        : member);
        return members == state.members() ? state : state.changed(self, members, state.reachability());
    }

    private boolean enoughMembers(ClusterState state) {
        if (countStaying(state, "") < settings.minNrOfMembers()) {
            return false;
        }
        for (Map.Entry<String, Integer> minimum :
                settings.minNrOfMembersPerRole().entrySet()) {
            if (countStaying(state, minimum.getKey()) < minimum.getValue()) {
                return false;
            }
        }
        return true;
    }

    /** Why nobody becomes up yet, or an empty text. */
    public String missingMembers(ClusterState state) {
        int staying = countStaying(state, "");
        if (staying < settings.minNrOfMembers()) {
            return "min-nr-of-members is " + settings.minNrOfMembers() + " and the cluster has " + staying;
        }
        for (Map.Entry<String, Integer> minimum :
                settings.minNrOfMembersPerRole().entrySet()) {
            int withRole = countStaying(state, minimum.getKey());
            if (withRole < minimum.getValue()) {
                return "role." + minimum.getKey() + ".min-nr-of-members is " + minimum.getValue()
                        + " and the cluster has " + withRole;
            }
        }
        return "";
    }

    private static int countStaying(ClusterState state, String role) {
        int count = 0;
        for (Member member : state.members()) {
            if (!member.status().isOnItsWayOut() && (role.isEmpty() || member.hasRole(role))) {
                count++;
            }
        }
        return count;
    }

    private static int highestUpNumber(ClusterState state) {
        int highest = 0;
        for (Member member : state.members()) {
            if (member.hasBeenUp()) {
                highest = Math.max(highest, member.upNumber());
            }
        }
        return highest;
    }
}

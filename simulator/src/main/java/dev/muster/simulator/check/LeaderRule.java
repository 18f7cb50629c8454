package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Who leads, said a second time and independently of the core, so that a mistake has to be made twice to go unnoticed.
 *
 * <p>In member order the first that is up or leaving; if there is none, the first weakly up, then joining, then exiting
 * one. Down members never lead, and neither do members that an observer which is not down accuses, except that nobody
 * believes such a thing of itself.
 */
final class LeaderRule {
    private LeaderRule() {}

    static boolean isLeader(ClusterState state, NodeId self) {
        return leaderOf(state, self).filter(self::equals).isPresent();
    }

    static Optional<NodeId> leaderOf(ClusterState state, NodeId self) {
        Set<NodeId> accused = accusedIn(state);
        Member best = null;
        for (Member member : state.members()) {
            boolean eligible = member.status() != MemberStatus.DOWN
                    && (member.id().equals(self) || !accused.contains(member.id()));
            if (eligible && (best == null || preference(member.status()) < preference(best.status()))) {
                best = member;
            }
        }
        return best == null ? Optional.empty() : Optional.of(best.id());
    }

    /** Lower is preferred. */
    static int preference(MemberStatus status) {
        return switch (status) {
            case UP, LEAVING, PREPARING_FOR_SHUTDOWN, READY_FOR_SHUTDOWN -> 0;
            case WEAKLY_UP -> 1;
            case JOINING -> 2;
            case EXITING -> 3;
            case DOWN, REMOVED -> 4;
        };
    }

    /** The members that somebody who is not down holds unreachable or terminated. */
    static Set<NodeId> accusedIn(ClusterState state) {
        if (state.reachability().rows().isEmpty()) {
            return Set.of();
        }
        Set<NodeId> accused = new HashSet<>();
        for (ReachabilityRow row : state.reachability().rows()) {
            if (state.members().statusOf(row.observer()).compareTo(MemberStatus.DOWN) >= 0) {
                continue;
            }
            for (ReachabilityRow.Observation record : row.records()) {
                if (record.status() != ReachabilityStatus.REACHABLE) {
                    accused.add(record.subject());
                }
            }
        }
        return accused;
    }
}

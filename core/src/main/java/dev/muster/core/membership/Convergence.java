package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * Whether everybody who counts has seen exactly this state, so that whoever leads may act on it.
 *
 * <p>Members that are up or leaving must have seen it, unless they said that they are finished. Nobody else may be
 * unreachable, unless it is down or exiting anyway. While no member is up, the joining ones must have seen it too.
 *
 * <p>Specification: "Gossip Convergence".
 */
public final class Convergence {
    private Convergence() {}

    public static boolean hasConverged(ClusterState state, NodeId self, SortedSet<NodeId> exitConfirmed) {
        return allHaveSeen(state, exitConfirmed) && unreachableBlockers(state, self, exitConfirmed).isEmpty();
    }

    private static boolean allHaveSeen(ClusterState state, SortedSet<NodeId> exitConfirmed) {
        Members members = state.members();
        boolean anybodyCounts = false;
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            if (member.status().countsForConvergence()) {
                anybodyCounts = true;
                if (!state.seen().contains(i) && !exitConfirmed.contains(member.id())) {
                    return false;
                }
            }
        }
        return anybodyCounts || missing(state, exitConfirmed).isEmpty();
    }

    /** Those whose eyes are still missing. */
    public static List<Member> missing(ClusterState state, SortedSet<NodeId> exitConfirmed) {
        boolean anybodyCounts = state.members().stream().anyMatch(m -> m.status().countsForConvergence());
        List<Member> missing = new ArrayList<>();
        for (Member member : state.members()) {
            boolean counts = member.status().countsForConvergence()
                    || !anybodyCounts && member.status().isNotYetUp();
            if (counts && !state.isSeenBy(member.id()) && !exitConfirmed.contains(member.id())) {
                missing.add(member);
            }
        }
        return missing;
    }

    /** Those whose unreachability blocks. */
    public static List<Member> unreachableBlockers(ClusterState state, NodeId self, SortedSet<NodeId> exitConfirmed) {
        List<Member> blockers = new ArrayList<>();
        for (ReachabilityRow row : state.reachability().rows()) {
            if (!row.records().isEmpty() && state.isTrustedObserver(row.observer())) {
                for (ReachabilityRow.Observation record : row.records()) {
                    addBlocker(blockers, state, self, exitConfirmed, record);
                }
            }
        }
        return blockers;
    }

    private static void addBlocker(
            List<Member> blockers,
            ClusterState state,
            NodeId self,
            SortedSet<NodeId> exitConfirmed,
            ReachabilityRow.Observation record) {
        NodeId subject = record.subject();
        MemberStatus status = state.members().statusOf(subject);
        if (record.status() != ReachabilityStatus.REACHABLE
                && !subject.equals(self)
                && !status.isOnItsWayOut()
                && !exitConfirmed.contains(subject)) {
            state.members().find(subject).filter(m -> !blockers.contains(m)).ifPresent(blockers::add);
        }
    }
}

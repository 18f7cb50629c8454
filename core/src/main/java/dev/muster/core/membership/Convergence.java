package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * Whether everybody who counts has seen exactly this state, so that whoever leads may act on it.
 *
 * <p>Members that are up or leaving must have seen it, unless they said that they are finished. Nobody else may be
 * unreachable, unless it is down or exiting anyway. While there is nobody who ever was up, the joining ones must have
 * seen it too; one that leaves without having been up does not change that, or it could converge with itself alone, and
 * make the others up while they do the same.
 *
 * <p>Specification: "Gossip Convergence".
 */
public final class Convergence {
    private Convergence() {}

    public static boolean hasConverged(ClusterState state, NodeId self, SortedSet<NodeId> exitConfirmed) {
        return allHaveSeen(state, exitConfirmed) && !isBlocked(state, self, exitConfirmed);
    }

    private static boolean allHaveSeen(ClusterState state, SortedSet<NodeId> exitConfirmed) {
        Members members = state.members();
        boolean anybodyRules = false;
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            if (member.status().countsForConvergence()) {
                anybodyRules |= rules(member);
                if (!state.seen().contains(i) && !exitConfirmed.contains(member.id())) {
                    return false;
                }
            }
        }
        return anybodyRules || missing(state, exitConfirmed).isEmpty();
    }

    /** Whether those that never were up need not be asked. */
    private static boolean rules(Member member) {
        return member.status().countsForConvergence() && member.hasBeenUp();
    }

    /** Those whose eyes are still missing. */
    public static List<Member> missing(ClusterState state, SortedSet<NodeId> exitConfirmed) {
        boolean anybodyRules = state.members().stream().anyMatch(Convergence::rules);
        List<Member> missing = new ArrayList<>();
        for (Member member : state.members()) {
            boolean counts = member.status().countsForConvergence()
                    || !anybodyRules && member.status().isNotYetUp();
            if (counts && !state.isSeenBy(member.id()) && !exitConfirmed.contains(member.id())) {
                missing.add(member);
            }
        }
        return missing;
    }

    /** Whether somebody's unreachability blocks. */
    public static boolean isBlocked(ClusterState state, NodeId self, SortedSet<NodeId> exitConfirmed) {
        return !unreachableBlockers(state, self, exitConfirmed).isEmpty();
    }

    /** Those whose unreachability blocks: not oneself, and nobody who is down, exiting or finished anyway. */
    public static List<Member> unreachableBlockers(ClusterState state, NodeId self, SortedSet<NodeId> exitConfirmed) {
        List<Member> blockers = new ArrayList<>();
        for (NodeId subject : state.unreachable()) {
            if (!subject.equals(self) && !exitConfirmed.contains(subject)) {
                state.members()
                        .find(subject)
                        .filter(member -> !member.status().isOnItsWayOut())
                        .ifPresent(blockers::add);
            }
        }
        return blockers;
    }
}

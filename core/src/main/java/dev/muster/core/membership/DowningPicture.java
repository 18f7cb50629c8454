package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What must hold still before anything is decided: who counts, and who accuses whom.
 *
 * <p>Joining and weakly up members are left out, so that one that tries to join again and again keeps nobody from
 * deciding.
 */
record DowningPicture(SortedSet<NodeId> counting, SortedSet<NodeId> exiting, List<DowningView.Accusation> accusations) {
    static final DowningPicture CALM = new DowningPicture(new TreeSet<>(), new TreeSet<>(), List.of());

    static DowningPicture of(ClusterState state) {
        List<DowningView.Accusation> accusations =
                state.reachability().isAllReachable() ? List.of() : DowningView.accusationsIn(state);
        if (accusations.isEmpty()) {
            return CALM;
        }
        SortedSet<NodeId> counting = new TreeSet<>();
        SortedSet<NodeId> exiting = new TreeSet<>();
        for (Member member : state.members()) {
            if (member.status().countsForConvergence()) {
                counting.add(member.id());
            } else if (member.status() == MemberStatus.EXITING) {
                exiting.add(member.id());
            }
        }
        return new DowningPicture(counting, exiting, accusations);
    }

    boolean isCalm() {
        return accusations.isEmpty();
    }

    boolean hasSameMembersAs(DowningPicture other) {
        return counting.equals(other.counting) && exiting.equals(other.exiting);
    }

    /** How many members count in the sense of the strategies. */
    int voters() {
        return counting.size() + exiting.size();
    }

    SortedSet<NodeId> accused() {
        SortedSet<NodeId> accused = new TreeSet<>();
        accusations.forEach(a -> accused.add(a.subject()));
        return accused;
    }
}

package dev.muster.core.membership;

import dev.muster.core.membership.DowningView.Accusation;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What must hold still before anything is decided: who counts, and who accuses whom.
 *
 * <p>Joining and weakly up members are left out, so that one that tries to join again and again keeps nobody from
 * deciding.
 *
 * <p>A picture is taken of every version, and in a large cluster that falls apart there are very many of those: so each
 * takes over from the one before what has not changed.
 */
final class DowningPicture {
    static final DowningPicture CALM = new DowningPicture(Members.NONE, List.of(), List.of(), List.of());

    private final Members members;
    private final List<NodeId> counting;
    private final List<NodeId> exiting;
    private final List<Accusation> accusations;
    private Set<NodeId> accused; // found once on demand

    private DowningPicture(Members members, List<NodeId> counting, List<NodeId> exiting, List<Accusation> accusations) {
        this.members = members;
        this.counting = counting;
        this.exiting = exiting;
        this.accusations = accusations;
    }

    static DowningPicture of(ClusterState state) {
        return CALM.followedBy(state);
    }

    DowningPicture followedBy(ClusterState state) {
        List<Accusation> next = state.reachability().isAllReachable() ? List.of() : DowningView.accusationsIn(state);
        if (next.isEmpty()) {
            return CALM;
        }
        if (state.members() == members) {
            return next.equals(accusations) ? this : new DowningPicture(members, counting, exiting, next);
        }
        List<NodeId> nowCounting = new ArrayList<>();
        List<NodeId> nowExiting = new ArrayList<>();
        for (Member member : state.members()) {
            if (member.status().countsForConvergence()) {
                nowCounting.add(member.id());
            } else if (member.status() == MemberStatus.EXITING) {
                nowExiting.add(member.id());
            }
        }
        return new DowningPicture(state.members(), nowCounting, nowExiting, next);
    }

    boolean isCalm() {
        return accusations.isEmpty();
    }

    boolean hasSameMembersAs(DowningPicture other) {
        return counting.equals(other.counting) && exiting.equals(other.exiting);
    }

    List<Accusation> accusations() {
        return accusations;
    }

    /** How many members count in the sense of the strategies. */
    int voters() {
        return counting.size() + exiting.size();
    }

    Set<NodeId> accused() {
        if (accused == null) {
            Set<NodeId> found = new LinkedHashSet<>();
            accusations.forEach(a -> found.add(a.subject()));
            accused = Collections.unmodifiableSet(found);
        }
        return accused;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof DowningPicture that
                        && hasSameMembersAs(that)
                        && accusations.equals(that.accusations);
    }

    @Override
    public int hashCode() {
        return Objects.hash(counting, exiting, accusations);
    }
}

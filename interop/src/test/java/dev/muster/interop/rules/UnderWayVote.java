package dev.muster.interop.rules;

import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;

/**
 * Whether a side goes on by our rule, with nothing but the question whom the sides consist of; that one is put to
 * Pekko, as if all of those were up. So what differs from Pekko's own rule is all here (decision 6).
 */
record UnderWayVote(DowningStrategy strategy, Members members, SortedSet<NodeId> side) {

    boolean goesOn() {
        boolean somebodyCountsElsewhere = members.stream()
                .anyMatch(it -> !side.contains(it.id()) && it.status().countsForConvergence());
        if (!somebodyCountsElsewhere) {
            return true;
        }
        if (!wins(true, false) || !mayHaveMissedSomething()) {
            return wins(true, false);
        }
        boolean somebodyStays =
                members.stream().anyMatch(it -> side.contains(it.id()) && it.status() == MemberStatus.UP);
        return somebodyStays && wins(true, true) && wins(false, false) && wins(false, true);
    }

    /** The first one that could have led is not here, or has been declared down. */
    private boolean mayHaveMissedSomething() {
        return members.stream()
                .filter(it -> it.status().countsForConvergence() || it.status() == MemberStatus.DOWN)
                .findFirst()
                .map(it -> !isHeard(it))
                .orElse(true);
    }

    private boolean isHeard(Member member) {
        return side.contains(member.id()) && member.status() != MemberStatus.DOWN;
    }

    /** Whether this side wins if its exiting members are still there, and if joining ones elsewhere are up by now. */
    private boolean wins(boolean ourExiting, boolean theirJoining) {
        List<Member> here = new ArrayList<>();
        List<Member> elsewhere = new ArrayList<>();
        for (Member member : members) {
            boolean wasUp = member.upNumber() != Member.NOT_YET_UP;
            if (isHeard(member)) {
                if (wasUp && (ourExiting || member.status() != MemberStatus.EXITING)) {
                    here.add(asUp(member));
                }
            } else if (wasUp || theirJoining && member.status().isNotYetUp()) {
                elsewhere.add(asUp(member));
            }
        }
        return wins(here, elsewhere);
    }

    private static Member asUp(Member member) {
        return member.up(member.upNumber());
    }

    private boolean wins(List<Member> here, List<Member> elsewhere) {
        SideCount count = SideCount.of(strategy, here, elsewhere);
        if (count.theyStopAll()) {
            return count.goesOnAnyway();
        }
        return new TheirDowning(here, elsewhere, side.first(), strategy).goesOn();
    }
}

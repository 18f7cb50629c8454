package dev.muster.core.membership;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;

/** Who counts, on this side and elsewhere, in each of the cases that are possible. */
record DowningBallots(DowningView view, DowningStrategy strategy, SortedSet<NodeId> leftOut) {

    /** The members that count in one of the cases. */
    record Ballot(List<Member> ours, List<Member> theirs, List<Member> down) {
        int all() {
            return ours.size() + notOurs();
        }

        /** Who was declared down but not removed yet may be alive elsewhere, and count itself and others there. */
        int notOurs() {
            return theirs.size() + down.size();
        }

        boolean oursHasFirst(Comparator<Member> order) {
            List<Member> others = new ArrayList<>(theirs);
            others.addAll(down);
            return !ours.isEmpty() && (others.isEmpty() || order.compare(first(ours, order), first(others, order)) < 0);
        }

        private static Member first(List<Member> members, Comparator<Member> order) {
            return members.stream().min(order).orElseThrow();
        }
    }

    /**
     * @param ourExitingCount our exiting members are still members for the others too
     * @param theirJoiningCount the others' joining members are up by now
     */
    Ballot ballot(boolean ourExitingCount, boolean theirJoiningCount) {
        String role = roleOf(strategy);
        List<Member> ours = new ArrayList<>();
        for (Member member : view.heard().values()) {
            boolean counts = wasUp(member) && (ourExitingCount || member.status() != MemberStatus.EXITING);
            if (counts && hasRole(member, role) && !leftOut.contains(member.id())) {
                ours.add(member);
            }
        }
        List<Member> theirs = new ArrayList<>();
        for (Member member : view.unheard().values()) {
            // Those who are exiting may not know it yet, and then count themselves.
            boolean mayBeUp = theirJoiningCount && member.status().isNotYetUp();
            if ((mayBeUp || wasUp(member)) && hasRole(member, role)) {
                theirs.add(member);
            }
        }
        List<Member> down = new ArrayList<>();
        for (Member member : view.down()) {
            if (wasUp(member) && hasRole(member, role)) {
                down.add(member);
            }
        }
        return new Ballot(ours, theirs, down);
    }

    /** Somebody may be leaving who never was up, and the others may not know of it: that one has no vote. */
    private static boolean wasUp(Member member) {
        return member.hasBeenUp();
    }

    private static boolean hasRole(Member member, String role) {
        return role.isEmpty() || member.hasRole(role);
    }

    private static String roleOf(DowningStrategy strategy) {
        if (strategy instanceof DowningStrategy.KeepMajority majority) {
            return majority.role();
        }
        if (strategy instanceof DowningStrategy.StaticQuorum quorum) {
            return quorum.role();
        }
        return strategy instanceof DowningStrategy.KeepOldest oldest ? oldest.role() : "";
    }
}

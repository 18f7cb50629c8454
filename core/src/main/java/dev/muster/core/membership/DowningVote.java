package dev.muster.core.membership;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether the members that are heard go on without the ones that are not, by the strategies that let one side win.
 *
 * <p>All sides of a split ask themselves this, none can ask another, and at most one may say yes. That is easy as long
 * as all hold the same members. But a leader action may just have reached one side and not the other: members became
 * up, exiting or removed. A side that cannot know wins only if it would win in every such case; rather nobody goes on
 * than two sides.
 *
 * @param wins whether this side goes on
 * @param why the counts behind it, for people to read
 */
record DowningVote(boolean wins, String why) {
    private static final Comparator<Member> OLDEST_FIRST =
            Comparator.comparingInt(Member::upNumber).thenComparing(Member::id);

    /** The members that count, on this side and elsewhere, in one of the cases that are possible. */
    private record Ballot(List<Member> ours, List<Member> theirs) {
        int all() {
            return ours.size() + theirs.size();
        }

        boolean oursHasFirst(Comparator<Member> order) {
            return !ours.isEmpty() && (theirs.isEmpty() || order.compare(first(ours, order), first(theirs, order)) < 0);
        }

        private static Member first(List<Member> members, Comparator<Member> order) {
            return members.stream().min(order).orElseThrow();
        }
    }

    static DowningVote of(DowningView view, DowningStrategy strategy) {
        DowningVote vote = in(ballot(view, strategy, true, false), strategy);
        if (!vote.wins || !view.mayMissLeaderActions()) {
            return vote;
        }
        if (view.heard().values().stream().noneMatch(DowningVote::stays)) {
            // Elsewhere they may be known as exiting already; the leader there then removes them without asking
            // anybody.
            return new DowningVote(false, vote.why + ", but nobody on this side is up for longer");
        }
        return Stream.of(
                        ballot(view, strategy, true, true),
                        ballot(view, strategy, false, false),
                        ballot(view, strategy, false, true))
                .map(possible -> in(possible, strategy))
                .filter(possible -> !possible.wins)
                .findFirst()
                .map(lost -> new DowningVote(
                        false, vote.why + ", but a change that was under way may have turned that: " + lost.why))
                .orElse(vote);
    }

    private static boolean stays(Member member) {
        return member.status().countsForConvergence() && member.status() != MemberStatus.LEAVING;
    }

    private static Ballot ballot(
            DowningView view, DowningStrategy strategy, boolean ourExitingCount, boolean theirJoiningCount) {
        String role = roleOf(strategy);
        List<Member> ours = new ArrayList<>();
        for (Member member : view.heard().values()) {
            boolean counts = member.status() == MemberStatus.EXITING
                    ? ourExitingCount
                    : !member.status().isNotYetUp();
            if (counts && hasRole(member, role)) {
                ours.add(member);
            }
        }
        // Who was declared down but not removed yet may be alive elsewhere, and count itself and others there.
        List<Member> theirs = new ArrayList<>();
        for (Member member : view.down()) {
            if (member.upNumber() != Member.NOT_YET_UP && hasRole(member, role)) {
                theirs.add(member);
            }
        }
        for (Member member : view.unheard().values()) {
            // Those who are exiting may not know it yet, and then count themselves.
            if ((theirJoiningCount || !member.status().isNotYetUp()) && hasRole(member, role)) {
                theirs.add(member);
            }
        }
        return new Ballot(ours, theirs);
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

    private static DowningVote in(Ballot ballot, DowningStrategy strategy) {
        if (strategy instanceof DowningStrategy.KeepMajority) {
            return majority(ballot);
        }
        if (strategy instanceof DowningStrategy.StaticQuorum quorum) {
            return quorum(ballot, quorum.size());
        }
        if (strategy instanceof DowningStrategy.KeepOldest oldest) {
            return oldest(ballot, oldest.downIfAlone());
        }
        throw new IllegalStateException(strategy.name() + " lets no side win");
    }

    private static DowningVote majority(Ballot ballot) {
        String count = ballot.ours.size() + " of " + ballot.all() + " members that count are on this side";
        if (ballot.ours.size() != ballot.theirs.size()) {
            return new DowningVote(ballot.ours.size() > ballot.theirs.size(), count);
        }
        boolean lowest = ballot.oursHasFirst(Comparator.comparing(Member::id));
        return new DowningVote(lowest, count + ", the lowest address " + (lowest ? "among them" : "elsewhere"));
    }

    /** With more than 2·size − 1 members both sides could have a quorum, so the others must be too few as well. */
    private static DowningVote quorum(Ballot ballot, int size) {
        String count = ballot.ours.size() + " of the " + size + " members that are needed are on this side";
        if (ballot.theirs.size() >= size) {
            return new DowningVote(false, count + ", and " + ballot.theirs.size() + " elsewhere could have a quorum");
        }
        return new DowningVote(ballot.ours.size() >= size, count);
    }

    private static DowningVote oldest(Ballot ballot, boolean downIfAlone) {
        if (ballot.all() == 0) {
            return new DowningVote(false, "there is no member that counts");
        }
        boolean here = ballot.oursHasFirst(OLDEST_FIRST);
        List<Member> withOldest = here ? ballot.ours : ballot.theirs;
        List<Member> withoutOldest = here ? ballot.theirs : ballot.ours;
        boolean alone = downIfAlone && withOldest.size() == 1 && !withoutOldest.isEmpty();
        return new DowningVote(
                here != alone,
                "the oldest member is " + (here ? "on this side" : "elsewhere") + (alone ? ", alone" : ""));
    }
}

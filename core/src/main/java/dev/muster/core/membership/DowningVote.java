package dev.muster.core.membership;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;
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

    /**
     * The vote on a side from which quarrelling members will be cut. It must win with them and without them: they may
     * be in touch with another side as well, and must not be counted on twice.
     */
    static DowningVote of(DowningView view, DowningStrategy strategy, SortedSet<NodeId> cut) {
        DowningVote withAll = of(view, new DowningBallots(view, strategy, new TreeSet<>()), strategy);
        return !withAll.wins || cut.isEmpty() ? withAll : of(view, new DowningBallots(view, strategy, cut), strategy);
    }

    private static DowningVote of(DowningView view, DowningBallots ballots, DowningStrategy strategy) {
        DowningVote vote = in(ballots.ballot(true, false), strategy);
        if (!vote.wins || !view.mayMissLeaderActions()) {
            return vote;
        }
        if (view.heard().values().stream().noneMatch(DowningVote::stays)) {
            // Elsewhere they may be known as exiting already; the leader there then removes them without asking
            // anybody.
            return new DowningVote(false, vote.why + ", but nobody on this side is up for longer");
        }
        return Stream.of(ballots.ballot(true, true), ballots.ballot(false, false), ballots.ballot(false, true))
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

    private static DowningVote in(DowningBallots.Ballot ballot, DowningStrategy strategy) {
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

    private static DowningVote majority(DowningBallots.Ballot ballot) {
        String count = ballot.ours().size() + " of " + ballot.all() + " members that count are on this side";
        if (ballot.ours().size() != ballot.notOurs()) {
            return new DowningVote(ballot.ours().size() > ballot.notOurs(), count);
        }
        boolean lowest = ballot.oursHasFirst(Comparator.comparing(Member::id));
        return new DowningVote(lowest, count + ", the lowest address " + (lowest ? "among them" : "elsewhere"));
    }

    /** With more than 2·size − 1 members both sides could have a quorum, so the others must be too few as well. */
    private static DowningVote quorum(DowningBallots.Ballot ballot, int size) {
        String count = ballot.ours().size() + " of the " + size + " members that are needed are on this side";
        if (ballot.notOurs() >= size) {
            return new DowningVote(false, count + ", and " + ballot.notOurs() + " elsewhere could have a quorum");
        }
        return new DowningVote(ballot.ours().size() >= size, count);
    }

    private static DowningVote oldest(DowningBallots.Ballot ballot, boolean downIfAlone) {
        if (ballot.all() == 0) {
            return new DowningVote(false, "there is no member that counts");
        }
        boolean here = ballot.oursHasFirst(OLDEST_FIRST);
        int withOldest = here ? ballot.ours().size() : ballot.notOurs();
        int withoutOldest = here ? ballot.notOurs() : ballot.ours().size();
        // Of two, the oldest stays: one is as alone as the other.
        boolean alone = downIfAlone && withOldest == 1 && withoutOldest > 1;
        return new DowningVote(
                here != alone,
                "the oldest member is " + (here ? "on this side" : "elsewhere") + (alone ? ", alone" : ""));
    }
}

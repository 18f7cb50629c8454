package dev.muster.core.membership;

import static dev.muster.core.membership.DowningStates.cluster;
import static dev.muster.core.membership.DowningStates.ids;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.EXITING;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.WEAKLY_UP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.membership.DowningBallots.Ballot;
import dev.muster.core.membership.DowningStrategy.AutoDown;
import dev.muster.core.membership.DowningStrategy.DownAll;
import dev.muster.core.membership.DowningStrategy.KeepMajority;
import dev.muster.core.membership.DowningStrategy.KeepOldest;
import dev.muster.core.membership.DowningStrategy.StaticQuorum;
import dev.muster.core.state.Member;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

class DowningBallotsTest {
    private static final DowningStrategy MAJORITY = new KeepMajority("");

    @Test
    void whoIsUpOrLeavingCountsWhereItIs() {
        DowningStates states = cluster("a b c d").are(LEAVING, "b d").seenBy("a b");

        assertThat(all(states, MAJORITY)).containsOnly("a b | c d");
    }

    @Test
    void ourExitingMembersCountInSomeCasesAndTheirsInAll() {
        DowningStates states = cluster("a b c d").are(EXITING, "b d").seenBy("a b");

        assertThat(ballot(states, MAJORITY, "", true, false)).isEqualTo("a b | c d");
        assertThat(ballot(states, MAJORITY, "", true, true)).isEqualTo("a b | c d");
        assertThat(ballot(states, MAJORITY, "", false, false)).isEqualTo("a | c d");
        assertThat(ballot(states, MAJORITY, "", false, true)).isEqualTo("a | c d");
    }

    @Test
    void theirJoiningMembersCountInSomeCasesAndOursInNone() {
        DowningStates states =
                cluster("a b c d e f").are(JOINING, "b e").are(WEAKLY_UP, "c f").seenBy("a b c");

        assertThat(ballot(states, MAJORITY, "", true, false)).isEqualTo("a | d");
        assertThat(ballot(states, MAJORITY, "", false, false)).isEqualTo("a | d");
        assertThat(ballot(states, MAJORITY, "", true, true)).isEqualTo("a | d e f");
        assertThat(ballot(states, MAJORITY, "", false, true)).isEqualTo("a | d e f");
    }

    @Test
    void whoIsDownIsOnNoSideEvenIfItHasSeenTheState() {
        DowningStates states = cluster("a b c d").are(DOWN, "b d").seenBy("a b");

        assertThat(all(states, MAJORITY)).containsOnly("a | c | b d");
    }

    @Test
    void whoWentDownBeforeItWasUpNeverCounts() {
        DowningStates states = cluster("a b c").are(JOINING, "b").are(DOWN, "b").seenBy("a");

        assertThat(all(states, MAJORITY)).containsOnly("a | c");
    }

    @Test
    void whoIsLeftOutIsMissingOnOurSideOnly() {
        DowningStates states = cluster("a b c d e").are(DOWN, "e").seenBy("a b");

        assertThat(ballot(states, MAJORITY, "b d e", true, false)).isEqualTo("a | c d | e");
    }

    @Test
    void onlyTheRoleOfTheStrategyCounts() {
        DowningStates states = cluster("a b c d e f")
                .are(DOWN, "e f")
                .haveRole("core", "b d f")
                .seenBy("a b");

        for (DowningStrategy strategy :
                List.of(new KeepMajority("core"), new StaticQuorum(2, "core"), new KeepOldest(true, "core"))) {
            assertThat(all(states, strategy)).as(strategy.name()).containsOnly("b | d | f");
        }
        for (DowningStrategy strategy : List.of(new DownAll(), new AutoDown(Duration.ZERO))) {
            assertThat(all(states, strategy)).as(strategy.name()).containsOnly("a b | c d | e f");
        }
    }

    @Test
    void aBallotCountsAllAndKnowsWhoHasTheFirst() {
        Comparator<Member> byId = Comparator.comparing(Member::id);
        Ballot ab = new Ballot(members("a b"), members("c d e"), members("f"));
        Ballot cd = new Ballot(members("d c"), members("e b"), List.of());

        assertThat(ab.all()).isEqualTo(6);
        assertThat(ab.notOurs()).isEqualTo(4);
        assertThat(ab.oursHasFirst(byId)).isTrue();
        assertThat(ab.oursHasFirst(byId.reversed())).isFalse();
        assertThat(cd.oursHasFirst(byId)).isFalse();
        assertThat(new Ballot(members("b"), members("c"), members("a")).oursHasFirst(byId))
                .isFalse();
        assertThat(new Ballot(List.of(), members("a"), List.of()).oursHasFirst(byId))
                .isFalse();
        assertThat(new Ballot(members("b"), List.of(), List.of()).oursHasFirst(byId))
                .isTrue();
        assertThat(new Ballot(List.of(), List.of(), List.of()).oursHasFirst(byId))
                .isFalse();
    }

    @Test
    void whatKnowsNoWinnerIsNotVotedOn() {
        DowningView view = new DowningView(cluster("a b").cutOff("a").state());

        assertThatThrownBy(() -> DowningVote.of(view, new DownAll(), ids("")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("down-all lets no side win");
    }

    private static List<Member> members(String names) {
        return List.copyOf(cluster(names).state().members());
    }

    private static List<String> all(DowningStates states, DowningStrategy strategy) {
        return List.of(
                ballot(states, strategy, "", true, false),
                ballot(states, strategy, "", true, true),
                ballot(states, strategy, "", false, false),
                ballot(states, strategy, "", false, true));
    }

    private static String ballot(
            DowningStates states,
            DowningStrategy strategy,
            String leftOut,
            boolean ourExitingCount,
            boolean theirJoiningCount) {
        DowningView view = new DowningView(states.state());
        Ballot ballot = new DowningBallots(view, strategy, ids(leftOut)).ballot(ourExitingCount, theirJoiningCount);
        return names(ballot.ours()) + " | " + names(ballot.theirs())
                + (ballot.down().isEmpty() ? "" : " | " + names(ballot.down()));
    }

    private static String names(List<Member> members) {
        return DowningStates.names(members.stream().map(Member::id).toList());
    }
}

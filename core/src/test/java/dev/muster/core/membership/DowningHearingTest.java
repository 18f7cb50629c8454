package dev.muster.core.membership;

import static dev.muster.core.membership.DowningStates.cluster;
import static dev.muster.core.membership.DowningStates.id;
import static dev.muster.core.membership.DowningStates.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class DowningHearingTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START = 100 * SECOND;
    private static final long PATIENCE = 20 * SECOND;

    private final DowningHearing hearing = new DowningHearing();

    @Test
    void whoHasSeenTheStateIsInTouchHoweverLongAgo() {
        ClusterState state = cluster("a b c").accuse("a", "b").seenBy("a b").state();
        hearing.note(state, START);

        assertThat(inTouch(state, START + 1000 * PATIENCE)).isEqualTo("a b");
        assertThat(hearing.inTouch(state, START + 1000 * PATIENCE, PATIENCE)).isSameAs(state);
    }

    @Test
    void whoNobodyAccusesIsInTouchForTwiceThePatience() {
        hearing.note(cluster("a b c").seenBy("a b").state(), START);
        ClusterState next = cluster("a b c").seenBy("a").changedBy("a").state();

        assertThat(inTouch(next, START)).isEqualTo("a b");
        assertThat(inTouch(next, START + 2 * PATIENCE - 1)).isEqualTo("a b");
        assertThat(inTouch(next, START + 2 * PATIENCE)).isEqualTo("a");
    }

    @Test
    void whoIsAccusedIsInTouchForThreeSeconds() {
        hearing.note(cluster("a b c").seenBy("a b").state(), START);
        ClusterState next =
                cluster("a b c").accuse("c", "b").seenBy("a").changedBy("a").state();

        assertThat(inTouch(next, START + 3 * SECOND - 1)).isEqualTo("a b");
        assertThat(inTouch(next, START + 3 * SECOND)).isEqualTo("a");
    }

    @Test
    void whoIsAccusedIsInTouchForHalfOfAShortPatience() {
        hearing.note(cluster("a b c").seenBy("a b").state(), START);
        ClusterState next =
                cluster("a b c").accuse("c", "b").seenBy("a").changedBy("a").state();

        assertThat(names(hearing.inTouch(next, START + 2 * SECOND - 1, 4 * SECOND)))
                .isEqualTo("a b");
        assertThat(names(hearing.inTouch(next, START + 2 * SECOND, 4 * SECOND))).isEqualTo("a");
        assertThat(names(hearing.inTouch(next, START, 0))).isEqualTo("a");
    }

    @Test
    void theWordOfSomebodyWhoIsDownIsNoAccusation() {
        hearing.note(cluster("a b c").are(MemberStatus.DOWN, "c").seenBy("a b").state(), START);
        ClusterState next = cluster("a b c")
                .are(MemberStatus.DOWN, "c")
                .accuse("c", "b")
                .seenBy("a")
                .changedBy("a")
                .state();

        assertThat(inTouch(next, START + 2 * PATIENCE - 1)).isEqualTo("a b");
    }

    @Test
    void whoWasNeverHeardIsNeverInTouch() {
        ClusterState state = cluster("a b c").seenBy("a").state();
        hearing.note(state, Long.MIN_VALUE + 1); // even if that is a short while after what stands for never

        assertThat(inTouch(state, Long.MIN_VALUE + 2)).isEqualTo("a");
    }

    @Test
    void theLatestTimeCounts() {
        ClusterState one = cluster("a b").seenBy("a b").state();
        hearing.note(one, START);
        hearing.note(cluster("a b").seenBy("a").changedBy("a").state(), START + SECOND);
        hearing.note(cluster("a b").seenBy("a b").changedBy("a").state(), START + 5 * SECOND);
        ClusterState last =
                cluster("a b").seenBy("a").changedBy("a").changedBy("a").state();

        assertThat(inTouch(last, START + 5 * SECOND + 2 * PATIENCE - 1)).isEqualTo("a b");
        assertThat(inTouch(last, START + 5 * SECOND + 2 * PATIENCE)).isEqualTo("a");
    }

    @Test
    void theSameSeenSetOfTheSameMembersIsNotedOnce() {
        ClusterState state = cluster("a b").seenBy("a b").state();
        hearing.note(state, START);
        hearing.note(state, START + SECOND);
        ClusterState next = state.changed(id("a"), state.members(), state.reachability());

        assertThat(inTouch(next, START + 2 * PATIENCE - 1)).isEqualTo("a b");
        assertThat(inTouch(next, START + 2 * PATIENCE)).isEqualTo("a");
    }

    @Test
    void whoHadSeenAStateThatEndsIsHeardAtItsEnd() {
        ClusterState state = cluster("a b").seenBy("a b").state();
        hearing.note(state, START);
        hearing.noteEndOf(state, START + SECOND);
        ClusterState next = state.changed(id("a"), state.members(), state.reachability());

        assertThat(inTouch(next, START + SECOND + 2 * PATIENCE - 1)).isEqualTo("a b");
        assertThat(inTouch(next, START + SECOND + 2 * PATIENCE)).isEqualTo("a");
    }

    @Test
    void whoAnsweredIsHeardAndStrangersArePassedOver() {
        ClusterState state = cluster("a c").seenBy("a").state();
        hearing.note(state, START);
        ids("0 b c x").forEach(it -> hearing.noteAnswer(it, START + SECOND));

        assertThat(inTouch(state, START + SECOND + 2 * PATIENCE - 1)).isEqualTo("a c");
        assertThat(inTouch(state, START + SECOND + 2 * PATIENCE)).isEqualTo("a");
    }

    @Test
    void whoComesAndGoesMovesNobodyElsesTime() {
        hearing.note(cluster("b d f h").seenBy("b f").state(), START);
        hearing.noteAnswer(id("h"), START + SECOND);
        ClusterState next = cluster("a c d f g h i").seenBy("a").changedBy("a").state();

        assertThat(inTouch(next, START + SECOND)).isEqualTo("a f h");
        assertThat(inTouch(next, START + 2 * PATIENCE)).isEqualTo("a h");
        assertThat(inTouch(next, START + SECOND + 2 * PATIENCE)).isEqualTo("a");
    }

    @Test
    void aNewIncarnationWasNotHeard() {
        ClusterState before = cluster("a b").seenBy("a b").state();
        hearing.note(before, START);
        Member again = Member.joining(new NodeId(id("b").address(), 2), List.of(), "1");
        ClusterState both = before.withMember(id("a"), again);

        assertThat(hearing.inTouch(both, START + SECOND, PATIENCE).isSeenBy(id("b")))
                .isTrue();
        assertThat(hearing.inTouch(both, START + SECOND, PATIENCE).isSeenBy(again.id()))
                .isFalse();
    }

    @Test
    void whenAllIsCalmEverythingIsForgotten() {
        hearing.note(cluster("a b").seenBy("a b").state(), START);
        hearing.forget();

        assertThat(inTouch(cluster("a b").seenBy("a").changedBy("a").state(), START + 1))
                .isEqualTo("a");
    }

    private String inTouch(ClusterState state, long nowNanos) {
        return names(hearing.inTouch(state, nowNanos, PATIENCE));
    }

    private static String names(ClusterState state) {
        return DowningStates.names(
                state.members().stream().map(Member::id).filter(state::isSeenBy).toList());
    }
}

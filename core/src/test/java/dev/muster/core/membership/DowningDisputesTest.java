package dev.muster.core.membership;

import static dev.muster.core.membership.DowningStates.cluster;
import static dev.muster.core.membership.DowningStates.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import org.junit.jupiter.api.Test;

class DowningDisputesTest {
    private static final long MEMORY = 20;

    private final DowningDisputes disputes = new DowningDisputes();

    @Test
    void inASplitNobodyIsSuspect() {
        note(cluster("a b c d").cutOff("a"), 0);

        assertThat(disputes.isSuspect(id("a"))).isFalse();
        assertThat(disputes.isSuspect(id("b"))).isFalse();
    }

    @Test
    void suspectIsWhoIsAtOddsWithMoreThanItsAccuser() {
        note(cluster("a b c").accuse("a", "b").accuse("c", "a"), 0);

        assertThat(disputes.isSuspect(id("a"))).isTrue();
        assertThat(disputes.isSuspect(id("b"))).isFalse();
        assertThat(disputes.isSuspect(id("c"))).isFalse();
    }

    @Test
    void betweenTwoAloneNobodyIsSuspect() {
        note(cluster("a b c").accuse("a", "b").accuse("b", "a"), 0);
        assertThat(disputes.isSuspect(id("a"))).isFalse();
        assertThat(disputes.isSuspect(id("b"))).isFalse();

        note(cluster("a b c"), 1);
        assertThat(disputes.isSuspect(id("a"))).isFalse();
        assertThat(disputes.isSuspect(id("b"))).isFalse();
    }

    @Test
    void suspectIsWhoHadToTakeBackItsWord() {
        note(cluster("a b c").accuse("a", "b c"), 0);
        assertThat(disputes.isSuspect(id("a"))).isFalse();

        note(cluster("a b c").accuse("a", "b"), 1);
        assertThat(disputes.isSuspect(id("a"))).isTrue();
        assertThat(disputes.isSuspect(id("b"))).isFalse();
        assertThat(disputes.isSuspect(id("c"))).isFalse();
    }

    @Test
    void suspectIsWhoWasAccusedByManyUntilJustNow() {
        note(cluster("a b c").accuse("b c", "a"), 0);
        note(cluster("a b c"), 1);

        assertThat(disputes.isSuspect(id("a"))).isTrue();
        assertThat(disputes.isSuspect(id("b"))).isFalse();
    }

    @Test
    void whomOthersBackInAllIsNotSuspect() {
        note(cluster("a b c d e").accuse("a", "b c e").accuse("d", "e"), 0);
        note(cluster("a b c d e").accuse("a", "e").accuse("d", "e"), 1);
        assertThat(disputes.isSuspect(id("a"))).isFalse(); // e is gone, whatever was wrong with a

        note(cluster("a b c d e").accuse("a", "c e").accuse("d", "e"), 2);
        assertThat(disputes.isSuspect(id("a"))).isTrue(); // nobody else says so of c

        note(cluster("a b c d e").accuse("a", "e").accuse("d", "e a"), 3);
        assertThat(disputes.isSuspect(id("a"))).isTrue(); // it is accused itself
    }

    @Test
    void whatWasTakenBackIsForgottenAfterAWhile() {
        note(cluster("a b c").accuse("b c", "a"), 0);
        note(cluster("a b c"), 1);
        note(cluster("a b c"), MEMORY);
        assertThat(disputes.isSuspect(id("a"))).isTrue();

        note(cluster("a b c"), MEMORY + 1);
        assertThat(disputes.isSuspect(id("a"))).isFalse();
    }

    @Test
    void whoIsDeclaredDownTakesItsDisputesAlong() {
        note(cluster("a b c").accuse("a", "b c"), 0);
        note(cluster("a b c").are(MemberStatus.DOWN, "b").accuse("a", "c"), 1);
        assertThat(disputes.isSuspect(id("a"))).isFalse(); // nothing was taken back

        DowningDisputes others = new DowningDisputes();
        ClusterState accused = cluster("a b c").accuse("b c", "a").state();
        others.note(DowningView.accusationsIn(accused), accused, 0, MEMORY);
        ClusterState gone = cluster("a b c")
                .are(MemberStatus.DOWN, "b c")
                .accuse("b c", "a")
                .state();
        others.note(DowningView.accusationsIn(gone), gone, 1, MEMORY);
        assertThat(others.isSuspect(id("a"))).isFalse();
    }

    @Test
    void aloneWithItsWordIsWhomNobodyBacksInAnything() {
        note(cluster("a b c d").accuse("a", "c d").accuse("c", "a"), 0);
        assertThat(disputes.isAloneWithItsWord(id("a"))).isTrue();
        assertThat(disputes.isAloneWithItsWord(id("b"))).isFalse();

        note(cluster("a b c d").accuse("a", "c d").accuse("b", "d"), 1);
        assertThat(disputes.isAloneWithItsWord(id("a"))).isFalse();
        assertThat(disputes.isAloneWithItsWord(id("b"))).isFalse();
    }

    @Test
    void oldDisputesOfTheOneThatGoesAreRecalled() {
        note(cluster("a b c d e").accuse("a", "b").accuse("c", "a").accuse("d", "e"), 0);
        note(cluster("a b c d e").accuse("a", "b"), 1);

        ClusterState left = cluster("a b c d e").accuse("a", "b").state();
        assertThat(DowningView.accusationsIn(disputes.recalledIn(left)))
                .containsExactly(
                        new DowningView.Accusation(id("a"), id("b")), new DowningView.Accusation(id("c"), id("a")));
    }

    @Test
    void whoIsAtOddsWithMoreGoesEvenIfItWouldStayAndTheOtherLeaves() {
        note(cluster("a b c").are(MemberStatus.LEAVING, "b").accuse("a", "b c"), 0);
        ClusterState left =
                cluster("a b c").are(MemberStatus.LEAVING, "b").accuse("a", "b").state();
        disputes.note(DowningView.accusationsIn(left), left, 1, MEMORY);

        assertThat(DowningView.accusationsIn(disputes.recalledIn(left)))
                .containsExactly(
                        new DowningView.Accusation(id("a"), id("b")), new DowningView.Accusation(id("a"), id("c")));
    }

    @Test
    void disputesWithMembersThatAreNotInTouchAreNotRecalled() {
        note(cluster("a b c").accuse("a", "b").accuse("c", "a"), 0);
        note(cluster("a b c").accuse("a", "b"), 1);

        ClusterState left = cluster("a b c").accuse("a", "b").seenBy("a b").state();
        assertThat(disputes.recalledIn(left)).isEqualTo(left);
    }

    @Test
    void withoutAQuarrelOrWithoutAPastNothingIsRecalled() {
        ClusterState quarrel = cluster("a b c").accuse("a", "b").state();
        assertThat(disputes.recalledIn(quarrel)).isSameAs(quarrel);

        note(cluster("a b c").accuse("a", "b"), 0);
        note(cluster("a b c"), 1);
        ClusterState calm = cluster("a b c").state();
        assertThat(disputes.recalledIn(calm)).isSameAs(calm);
    }

    private void note(DowningStates states, long now) {
        ClusterState state = states.state();
        disputes.note(DowningView.accusationsIn(state), state, now, MEMORY);
    }
}

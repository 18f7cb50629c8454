package dev.muster.core.membership;

import static dev.muster.core.membership.DowningStates.cluster;
import static dev.muster.core.membership.DowningStates.ids;
import static dev.muster.core.membership.DowningStates.names;
import static dev.muster.core.state.MemberStatus.DOWN;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AutoDownRipenessTest {
    @Test
    void whoIsAccusedForTooShortATimeStays() {
        DowningStates lost = cluster("a b c d").accuse("a b", "c d").seenBy("a b");

        assertThat(ripe(lost, "c d", "", "c d")).isEqualTo("c d");
        assertThat(ripe(lost, "c d", "d", "c d")).isEqualTo("c");
    }

    @Test
    void whoGoesForWhatItSaysNeedsNoTimeOfItsOwn() {
        DowningStates sick = cluster("a b c").accuse("a", "b c").accuse("b", "a");

        assertThat(ripe(sick, "a", "a", "a b c")).isEqualTo("a");
    }

    @Test
    void whatSomebodySaysOfOneWhoIsDownIsNoReasonToGo() {
        DowningStates sick = cluster("a b c d")
                .are(DOWN, "d")
                .accuse("a", "b c")
                .accuse("b", "a")
                .accuse("c", "d");

        assertThat(ripe(sick, "a c", "c", "a c")).isEqualTo("a");
    }

    @Test
    void aQuarrelOfTwoMustHaveLastedOnBothSides() {
        DowningStates two = cluster("a b c").accuse("a", "b");

        assertThat(ripe(two, "b", "", "b")).isEmpty();
        assertThat(ripe(two, "a", "", "b")).isEmpty();
        assertThat(ripe(two, "b", "", "c")).isEqualTo("b");
    }

    private static String ripe(DowningStates basis, String down, String young, String recent) {
        return names(AutoDownRipeness.ripe(ids(down), basis.state(), ids(young), ids(recent)));
    }
}

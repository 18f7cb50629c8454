package dev.muster.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MassCrashTest {
    private final Bench bench = Bench.of(1);

    @Test
    void noPartitionIsLostAndAllAreReachedAgain() {
        MassCrash.Result result = MassCrash.run(1, List.of(new MassCrash.Case(20, 200)), bench);

        assertThat(result.broken()).isEmpty();
        MassCrash.Row row = result.rows().get(0);
        assertThat(row.partitions()).isEqualTo(200);
        assertThat(row.crashed()).isEqualTo(4);
        assertThat(row.removedSeconds()).isGreaterThan(row.stableAfterSeconds());
        // Those that must be alone wait for the margin of 3 s.
        assertThat(row.settledSeconds() - row.removedSeconds()).isBetween(2.0, 5.0);
        assertThat(row.restBytes()).isLessThan(150);
        assertThat(row.largestMessageBytes()).isLessThan(32 * 1024);
    }

    /** More than the writer tells by itself. */
    @Test
    void newsIsPassedOnInALargerCluster() {
        MassCrash.Result result = MassCrash.run(2, List.of(new MassCrash.Case(40, 100)), bench);

        assertThat(result.broken()).isEmpty();
    }

    @Test
    void lostPartitionsAndATableWithoutRestBreakThePromise() {
        MassCrash.Row row = new MassCrash.Row(
                20, 200, 4, 13, 4, 17, 20, Double.NaN, 100, 0, 0, 0, 3, List.of(), new Effort(0, 0, "0"));

        assertThat(new MassCrash.Result(List.of(row)).broken())
                .extracting(BrokenPromise::promise)
                .containsExactly("P3", "P2");
    }

    @Test
    void aFifthOfFourNodesIsNobody() {
        assertThatThrownBy(() -> MassCrash.run(1, List.of(MassCrash.Case.of(4)), bench))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 5 nodes, was 4");
    }

    @Test
    @Tag("soak")
    void tenThousandPartitionsSurviveTheCrashOfFortyNodes() {
        MassCrash.Result result = MassCrash.run(1, MassCrash.CASES, bench);

        assertThat(result.broken()).as(result.table().text()).isEmpty();
    }
}

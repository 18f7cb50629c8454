package dev.muster.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CrashDetectionTest {
    private final Bench bench = Bench.of(2);

    @Test
    void everybodyKnowsOfACrashInTime() {
        CrashDetection.Result result = CrashDetection.run(1, List.of(3, 5, 10, 50), 20, bench);

        assertThat(result.broken()).isEmpty();
        assertThat(result.rows()).allSatisfy(row -> {
            assertThat(row.p50()).isGreaterThan(3); // nobody is accused before the acceptable pause is over
            assertThat(row.max()).isLessThan(6);
        });
    }

    @Test
    void somebodyWhoNeverKnewBreaksThePromise() {
        CrashDetection.Row row =
                new CrashDetection.Row(5, Percentiles.of(List.of(4.0, Double.NaN)), List.of(), new Effort(0, 0, "0"));

        assertThat(new CrashDetection.Result(List.of(row)).broken())
                .extracting(BrokenPromise::promise)
                .containsExactly("F1");
    }

    @Test
    void aSingleNodeHasNobodyToMissIt() {
        assertThatThrownBy(() -> CrashDetection.run(1, List.of(1), 1, bench))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 2 nodes, was 1");
    }

    @Test
    @Tag("soak")
    void everybodyKnowsOfManyCrashesInTime() {
        CrashDetection.Result result = CrashDetection.run(1, CrashDetection.SIZES, CrashDetection.FULL_CRASHES, bench);

        assertThat(result.broken()).as(result.table().text()).isEmpty();
    }
}

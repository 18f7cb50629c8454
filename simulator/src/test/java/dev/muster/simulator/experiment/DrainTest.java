package dev.muster.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DrainTest {
    private final Bench bench = Bench.of(1);

    @Test
    void aLeaverGoesWhenAllIsHandedOver() {
        Drain.Result result = Drain.run(1, List.of(5), 100, bench);

        assertThat(result.broken()).isEmpty();
        assertThat(result.rows()).extracting(Drain.Row::leaver).containsExactly("member", "leader");
        assertThat(result.rows()).allSatisfy(row -> {
            assertThat(row.handoffs().sorted()).hasSize(100);
            assertThat(row.left()).isZero();
            assertThat(row.drainedSeconds()).isLessThan(10);
            assertThat(row.goneSeconds()).isGreaterThan(row.drainedSeconds());
        });
    }

    @Test
    void whatIsLeftAndWhatTakesTooLongBreaksThePromise() {
        Drain.Row row = new Drain.Row(
                5, 2, "member", 60, 61, Percentiles.of(List.of(1.0, 16.0)), 1, 15, List.of(), new Effort(0, 0, "0"));

        assertThat(new Drain.Result(List.of(row)).broken())
                .extracting(BrokenPromise::promise)
                .containsExactly("P9", "H12");
    }

    @Test
    @Tag("soak")
    void aThousandPartitionsAreHandedOverInTime() {
        Drain.Result result = Drain.run(1, Drain.SIZES, Drain.FULL_PARTITIONS, bench);

        assertThat(result.broken()).as(result.table().text()).isEmpty();
    }
}

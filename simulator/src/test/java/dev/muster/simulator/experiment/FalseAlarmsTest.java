package dev.muster.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FalseAlarmsTest {
    private static final double SHORT_NODE_HOURS = 10;

    private final Bench bench = Bench.of(2);

    @ParameterizedTest
    @EnumSource(Condition.class)
    void nobodyIsAccusedUnderContract(Condition condition) {
        FalseAlarms.Row row = FalseAlarms.run(condition, 1, OptionalInt.empty(), SHORT_NODE_HOURS, bench);

        assertThat(new FalseAlarms.Result(List.of(row)).broken()).isEmpty();
        assertThat(row.nodeHours()).isEqualTo(SHORT_NODE_HOURS);
    }

    @Test
    void sameSeedSameRun() {
        assertThat(runShortly(7, 1).effort()).isEqualTo(runShortly(7, 2).effort());
        assertThat(runShortly(7, 2).effort().traceHash())
                .isNotEqualTo(runShortly(8, 2).effort().traceHash());
    }

    private static FalseAlarms.Result runShortly(long seed, int threads) {
        return FalseAlarms.run(seed, OptionalInt.of(3), 0.2, Bench.of(threads));
    }

    @Test
    void anAccusationBreaksThePromiseUnlessSomeAreAllowed() {
        assertThat(broken(Condition.LOSS, 1, 0)).isNotEmpty();
        assertThat(broken(Condition.HEAVY_LOSS, 2, 0)).isEmpty();
        assertThat(broken(Condition.HEAVY_LOSS, 3, 0)).isNotEmpty();
        assertThat(broken(Condition.HEAVY_LOSS, 0, 1)).isNotEmpty();
    }

    private static List<BrokenPromise> broken(Condition condition, long accusations, long lost) {
        Effort effort = new Effort(0, 0, "0");
        return new FalseAlarms.Result(List.of(
                        new FalseAlarms.Row(condition, 100, accusations * 5, accusations, lost, List.of(), effort)))
                .broken();
    }

    @Test
    @Tag("soak")
    void nobodyIsAccusedInAThousandNodeHours() {
        FalseAlarms.Result result = FalseAlarms.run(1, OptionalInt.empty(), FalseAlarms.FULL_NODE_HOURS, bench);

        assertThat(result.broken()).as(result.table().text()).isEmpty();
    }
}

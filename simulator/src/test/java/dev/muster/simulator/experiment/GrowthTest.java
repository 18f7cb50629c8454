package dev.muster.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.MassJoin;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class GrowthTest {
    @Test
    void tenTimesAsManyNodesNeedOnlyAFewMoreRounds() {
        Growth.Result result = Growth.run(1, List.of(10, 30, 100), Bench.of(1));

        assertThat(result.broken()).isEmpty();
        double few = result.joins().get(0).gossipRounds();
        double many = result.joins().get(2).gossipRounds();
        assertThat(many - few).isLessThan(4); // log2 10 is 3.3
    }

    @Test
    void aClusterThatNeverCameUpBreaksThePromise() {
        MassJoin.Result never = new MassJoin.Result(100, Double.NaN, Double.NaN, 0, 0, 0, "0", 300, List.of());

        assertThat(new Growth.Result(List.of(never)).broken())
                .extracting(BrokenPromise::promise)
                .containsExactly("S7");
    }

    @Test
    @Tag("soak")
    void joiningGrowsWithTheLogarithm() {
        Growth.Result result = Growth.run(1, Growth.SIZES, Bench.of(1));

        assertThat(result.broken()).as(result.table().text()).isEmpty();
    }
}

package dev.muster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.bench.partitions.HandoffBenchmark;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ComparisonTest {

    private static final Comparison HANDOFF = new Comparison(
            Suite.HANDOFF,
            List.of(HandoffBenchmark.ORDERED),
            List.of(Side.MUSTER, Side.PEKKO),
            1,
            false,
            Duration.ofSeconds(1),
            List.of());

    @Test
    void whatOthersLoseIsNoFaultOfMuster() {
        assertThat(HANDOFF.faults(lost(0, 17))).isEmpty();
    }

    @Test
    void whatMusterLosesInAnyRoundIsAFault() {
        assertThat(HANDOFF.faults(lost(3, 0))).containsExactly("must be 0, was 3.00: ordered, lost");
    }

    private static Map<Row, Map<Side, Figures>> lost(double byMuster, double byPekko) {
        Map<Row, Map<Side, Figures>> results = new HashMap<>();
        for (Row row : HandoffBenchmark.ORDERED.rows()) {
            boolean isLost = row.what().endsWith(" lost");
            results.put(
                    row,
                    Map.of(
                            Side.MUSTER, new Figures(0, 0, isLost ? byMuster : 0, 2),
                            Side.PEKKO, new Figures(0, 0, isLost ? byPekko : 0, 2)));
        }
        return results;
    }
}

package dev.muster.core.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.longs;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalHistoryTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void anEmptyHistoryHasNoRhythm() {
        ArrivalHistory history = new ArrivalHistory(10);

        assertThat(history.size()).isZero();
        assertThat(history.meanNanos()).isZero();
        assertThat(history.stdDeviationNanos()).isZero();
    }

    @Test
    void meanAndDeviationAreThoseOfTheIntervals() {
        ArrivalHistory history = historyOf(10, 2_000, 4_000, 4_000, 4_000, 5_000, 5_000, 7_000, 9_000);

        assertThat(history.size()).isEqualTo(8);
        assertThat(history.meanNanos()).isEqualTo(5_000);
        assertThat(history.stdDeviationNanos()).isEqualTo(2_000);
    }

    @Test
    void theOldestIntervalLeavesAFullWindowFirst() {
        ArrivalHistory history = historyOf(3, 1_000, 2_000, 3_000);
        assertThat(history.meanNanos()).isEqualTo(2_000);

        history.add(7_000);
        assertThat(history.meanNanos()).isEqualTo(4_000);
        history.add(8_000);
        assertThat(history.meanNanos()).isEqualTo(6_000);
        history.add(9_000);
        assertThat(history.meanNanos()).isEqualTo(8_000);
        history.add(7_000);
        assertThat(history.meanNanos()).isEqualTo(8_000);
        assertThat(history.size()).isEqualTo(3);
    }

    @Test
    void aWindowOfOneKnowsTheLastIntervalOnly() {
        ArrivalHistory history = historyOf(1, SECOND, 3 * SECOND);

        assertThat(history.size()).isEqualTo(1);
        assertThat(history.capacity()).isEqualTo(1);
        assertThat(history.meanNanos()).isEqualTo(3 * SECOND);
        assertThat(history.stdDeviationNanos()).isZero();
    }

    @Test
    void roomGrowsAsItIsNeededAndNotBeyondTheWindow() {
        ArrivalHistory history = new ArrivalHistory(20);
        assertThat(history.capacity()).isEqualTo(8);
        for (int i = 0; i < 8; i++) {
            history.add(SECOND);
        }
        assertThat(history.capacity()).isEqualTo(8);
        history.add(SECOND);
        assertThat(history.capacity()).isEqualTo(16);
        for (int i = 0; i < 100; i++) {
            history.add(SECOND);
        }
        assertThat(history.capacity()).isEqualTo(20);
        assertThat(history.size()).isEqualTo(20);
        assertThat(history.meanNanos()).isEqualTo(SECOND);
    }

    @Test
    void impossibleIntervalsAreBroughtIntoRange() {
        ArrivalHistory history = historyOf(1, -5_000);
        assertThat(history.meanNanos()).isZero();

        history.add(Long.MAX_VALUE);
        assertThat(history.meanNanos()).isEqualTo(Integer.MAX_VALUE * 1_000.0);
    }

    @Test
    void oneMonstrousIntervalLeavesNoTraceOnceItHasLeft() {
        ArrivalHistory history = new ArrivalHistory(100);
        for (int i = 0; i < 100; i++) {
            history.add(Long.MAX_VALUE);
        }
        for (int i = 0; i < 100; i++) {
            history.add(i % 2 == 0 ? 900_000 : 1_100_000);
        }

        assertThat(history.meanNanos()).isEqualTo(1_000_000);
        assertThat(history.stdDeviationNanos()).isCloseTo(100_000, within(1e-3));
    }

    @Test
    void theSumsNeverDriftFromTheIntervals() {
        qt().withFixedSeed(4711)
                .withExamples(300)
                .forAll(
                        integers().between(1, 30),
                        lists().of(longs().between(0, 40L * 60 * SECOND)).ofSizeBetween(1, 90))
                .checkAssert(ArrivalHistoryTest::assertSameAsFromScratch);
    }

    private static void assertSameAsFromScratch(int window, List<Long> intervals) {
        ArrivalHistory history = new ArrivalHistory(window);
        intervals.forEach(history::add);

        List<Long> kept = intervals.subList(Math.max(0, intervals.size() - window), intervals.size());
        double[] micros = kept.stream()
                .mapToDouble(nanos -> Math.min(nanos / 1_000, Integer.MAX_VALUE))
                .toArray();
        double mean = Arrays.stream(micros).average().orElseThrow();
        double variance = Arrays.stream(micros)
                .map(value -> (value - mean) * (value - mean))
                .average()
                .orElseThrow();

        assertThat(history.size()).isEqualTo(kept.size());
        assertThat(history.meanNanos()).isCloseTo(mean * 1_000, within(1.0));
        assertThat(history.stdDeviationNanos()).isCloseTo(Math.sqrt(variance) * 1_000, within(1e-7 * mean * 1_000 + 1));
    }

    @Test
    void equalIntervalsNeverGiveANegativeVariance() {
        qt().withFixedSeed(4712)
                .withExamples(1_000)
                .forAll(longs().between(0, 3_000 * SECOND), integers().between(1, 20))
                .checkAssert((interval, count) -> {
                    ArrivalHistory history = new ArrivalHistory(1_000);
                    for (int i = 0; i < count; i++) {
                        history.add(interval);
                    }
                    assertThat(history.stdDeviationNanos()).isBetween(0.0, 1e-7 * interval);
                });
    }

    private static ArrivalHistory historyOf(int window, long... intervalsNanos) {
        ArrivalHistory history = new ArrivalHistory(window);
        for (long interval : intervalsNanos) {
            history.add(interval);
        }
        return history;
    }
}

package dev.muster.core.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.partition.DemandHistory.Regret;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemandTest {
    private static final ScalingSettings SETTINGS = new ScalingSettings(100, 0.8, 0.2, 2, 4);
    private static final Demand CALM = new Demand(0, 0, 0, 0);

    @ParameterizedTest
    @CsvSource({
        // waiting, share, cpu, gc, pressure, strain
        "0,   0,   0,   0,   0,    0",
        "150, 0,   0,   0,   1.5,  1.5",
        // A busy node counts as far as the partition keeps it busy.
        "0,   0,   0.8, 0,   0,    1",
        "10,  1,   1,   0,   1.25, 1.25",
        "10,  0.4, 1,   0,   0.5,  1.25",
        "10,  1,   0.4, 0.3, 1.5,  1.5",
        "200, 1,   1,   0.2, 2,    2",
    })
    void pressureIsTheWorstOfMailboxProcessorAndGarbage(
            double waiting, double share, double cpu, double gc, double pressure, double strain) {
        Demand demand = new Demand(waiting, share, cpu, gc);

        assertThat(demand.pressure(SETTINGS)).isCloseTo(pressure, within(1e-9));
        assertThat(demand.strain(SETTINGS)).isCloseTo(strain, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void refusesSharesThatAreNone(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Demand(0, share, 0, 0))
                .withMessage("share of the messages waiting must be between 0 and 1, was " + share);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Demand(0, 0, share, 0))
                .withMessage("cpu load must be between 0 and 1, was " + share);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Demand(0, 0, 0, share))
                .withMessage("gc share must be between 0 and 1, was " + share);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesMailboxesThatAreNone(double waiting) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Demand(waiting, 0, 0, 0))
                .withMessage("messages waiting must be a number from 0 on, was " + waiting);
    }

    @Test
    void aHistoryIsAboutOneNumberOfInstances() {
        DemandHistory history = with(DemandHistory.NONE, 5, 3);

        assertThat(history.instances()).isEqualTo(3);
        assertThat(history.recent()).hasSize(5);
        assertThat(history.age()).isEqualTo(5);
        assertThat(history.with(CALM, 4)).isEqualTo(new DemandHistory(4, List.of(CALM), 1, false, Regret.NONE));
        assertThat(history.with(CALM, 2)).isEqualTo(new DemandHistory(2, List.of(CALM), 1, true, Regret.NONE));
    }

    @Test
    void aHistoryForgetsTheOldestSamples() {
        Demand first = new Demand(7, 0, 0, 0);
        DemandHistory full = with(DemandHistory.NONE.with(first, 3), 59, 3);

        assertThat(full.recent()).hasSize(60).startsWith(first);
        assertThat(full.with(CALM, 3).recent()).hasSize(60).doesNotContain(first);
        assertThat(full.with(CALM, 3).age()).isEqualTo(61);
    }

    @Test
    void aNumberThatWasSoonTooFewIsRegretted() {
        DemandHistory shrunk = with(with(DemandHistory.NONE, 1, 3), 1, 2);

        assertThat(with(shrunk, 58, 2).with(CALM, 4).regret()).isEqualTo(new Regret(2, 1));
        assertThat(with(shrunk, 59, 2).with(CALM, 4).regret()).isEqualTo(Regret.NONE);
        assertThat(with(shrunk, 5, 2).with(CALM, 1).regret()).isEqualTo(Regret.NONE);
        // Growing after growing is no regret.
        assertThat(with(DemandHistory.NONE, 5, 2).with(CALM, 3).with(CALM, 4).regret())
                .isEqualTo(Regret.NONE);
    }

    @Test
    void regretsAddUpToALimitAndEndWhenTheNumberIsEnoughAfterAll() {
        DemandHistory history = DemandHistory.NONE;
        for (int i = 0; i < 10; i++) {
            history = history.with(CALM, 3).with(CALM, 2);
        }
        assertThat(history.regret()).isEqualTo(new Regret(2, 5));
        assertThat(with(history, 58, 2).regret()).isEqualTo(new Regret(2, 5));
        assertThat(with(history, 59, 2).regret()).isEqualTo(Regret.NONE);
        assertThat(with(history.with(CALM, 3), 100, 3).regret()).isEqualTo(new Regret(2, 5));
        // Another number is another matter.
        assertThat(history.with(CALM, 7).with(CALM, 6).with(CALM, 7).regret()).isEqualTo(new Regret(6, 1));
    }

    @Test
    void eachRegretDoublesThePatienceBeforeTheNextTry() {
        assertThat(with(DemandHistory.NONE, 3, 3).isPatient(SETTINGS)).isFalse();
        assertThat(with(DemandHistory.NONE, 4, 3).isPatient(SETTINGS)).isTrue();
        DemandHistory regretted = DemandHistory.NONE.with(CALM, 3).with(CALM, 2).with(CALM, 4);
        assertThat(with(regretted, 3, 4).isPatient(SETTINGS)).isTrue();
        assertThat(with(regretted, 7, 3).isPatient(SETTINGS)).isFalse();
        assertThat(with(regretted, 8, 3).isPatient(SETTINGS)).isTrue();
    }

    @Test
    void withoutSamplesNothingIsPressedAndNothingCalm() {
        assertThat(DemandHistory.NONE.sustainedPressure(SETTINGS)).isZero();
        assertThat(DemandHistory.NONE.usualStrain(SETTINGS)).isInfinite();
    }

    @Test
    void onlyTheLastSamplesMatter() {
        DemandHistory history = DemandHistory.NONE.with(new Demand(900, 0, 0, 0), 1);
        history = with(history, 4, 1).with(new Demand(200, 0, 0, 0), 1).with(new Demand(300, 0, 0, 0), 1);

        assertThat(history.sustainedPressure(SETTINGS)).isEqualTo(2);
        assertThat(history.usualStrain(SETTINGS)).isEqualTo(5.0 / 4);
    }

    @Test
    void refusesHistoriesThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DemandHistory(1, List.of(CALM, CALM), 1, false, Regret.NONE))
                .withMessage("a history of age 1 and 60 samples at most cannot have 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new DemandHistory(1, Collections.nCopies(61, CALM), 70, false, Regret.NONE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Regret(1, 6))
                .withMessage("regrets must be from 0 to 5, was 6");
        assertThatIllegalArgumentException().isThrownBy(() -> new Regret(1, -1));
    }

    @Test
    void aVeryOldHistoryGoesOn() {
        DemandHistory old = new DemandHistory(1, List.of(CALM), Integer.MAX_VALUE, false, Regret.NONE);

        assertThat(old.with(CALM, 1).age()).isEqualTo(Integer.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource({
        "0,   0.8, 0.2, 3, 30, 'messages waiting per instance must be positive and finite, was 0.0'",
        "NaN, 0.8, 0.2, 3, 30, 'messages waiting per instance must be positive and finite, was NaN'",
        "Infinity, 1, 1, 3, 30, 'messages waiting per instance must be positive and finite, was Infinity'",
        "100, 0.0, 0.2, 3, 30, 'cpu load of a busy node must be above 0 and at most 1, was 0.0'",
        "100, 0.8, 1.5, 3, 30, 'gc share of a busy node must be above 0 and at most 1, was 1.5'",
        "100, 0.8, 0.2, 0, 30, 'samples to grow must be at least 1, was 0'",
        "100, 0.8, 0.2, 3, 2,  'samples to shrink must be at least those to grow and at most 60, was 2'",
        "100, 0.8, 0.2, 3, 61, 'samples to shrink must be at least those to grow and at most 60, was 61'",
    })
    void refusesSettingsThatMakeNoSense(double waiting, double cpu, double gc, int grow, int shrink, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScalingSettings(waiting, cpu, gc, grow, shrink))
                .withMessage(message);
    }

    private static DemandHistory with(DemandHistory history, int samples, int instances) {
        DemandHistory longer = history;
        for (int i = 0; i < samples; i++) {
            longer = longer.with(CALM, instances);
        }
        return longer;
    }
}

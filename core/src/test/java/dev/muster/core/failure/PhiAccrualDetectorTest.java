package dev.muster.core.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.doubles;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;
import static org.quicktheories.generators.SourceDSL.longs;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PhiAccrualDetectorTest {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final long CENTURY = 100L * 365 * 24 * 3_600 * SECOND;

    private static final SuspicionRule DEFAULTS = SuspicionRule.of(FailureSettings.defaults());

    @Test
    void theRuleIsReadFromTheSettings() {
        assertThat(DEFAULTS.heartbeatIntervalNanos()).isEqualTo(SECOND);
        assertThat(DEFAULTS.acceptablePauseNanos()).isEqualTo(3 * SECOND);
        assertThat(DEFAULTS.minStdDeviationNanos()).isEqualTo(100 * MILLI);
        assertThat(DEFAULTS.firstEstimateNanos()).isEqualTo(SECOND);
        assertThat(DEFAULTS.maxSampleSize()).isEqualTo(1_000);
        assertThat(DEFAULTS.deviationsTolerated()).isEqualTo(PhiCurve.deviationsAt(8));
        assertThat(SuspicionRule.of(settings(1, 8, 3, 7)).firstEstimateNanos()).isEqualTo(7 * SECOND);
        assertThat(SuspicionRule.of(settings(9, 8, 3, 7)).firstEstimateNanos()).isEqualTo(9 * SECOND);
    }

    @Test
    void aNodeThatWasNeverAskedIsNotDoubted() {
        PhiAccrualDetector detector = new PhiAccrualDetector(DEFAULTS);

        assertThat(detector.phi(CENTURY)).isZero();
        assertThat(detector.isSuspicious(CENTURY)).isFalse();
        assertThat(detector.suspiciousFromNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aNodeThatNeverAnswersIsFoundWithinTheBound() {
        PhiAccrualDetector detector = new PhiAccrualDetector(DEFAULTS);
        for (int i = 0; i < 8; i++) {
            detector.asked((10 + i) * SECOND);
        }

        // Mean 1 s, pause 3 s, deviation 250 ms.
        long expected = 10 * SECOND + 4 * SECOND + (long) (PhiCurve.deviationsAt(8) * 250 * MILLI) + 1;
        assertThat(detector.suspiciousFromNanos()).isEqualTo(expected);
        assertThat(expected).isLessThan(16 * SECOND);
        assertThat(detector.isSuspicious(expected - 1)).isFalse();
        assertThat(detector.isSuspicious(expected)).isTrue();
    }

    @Test
    void regularAnswersThenSilenceAreSuspiciousAfterFourAndAHalfSeconds() {
        PhiAccrualDetector detector = beating(DEFAULTS, 100);

        assertThat(detector.suspiciousFromNanos() - 100 * SECOND).isBetween(4_300 * MILLI, 5 * SECOND);
        assertThat(detector.phi(103 * SECOND)).isLessThan(1e-6);
        assertThat(detector.phi(104 * SECOND)).isCloseTo(Math.log10(2), within(0.01));
        assertThat(detector.phi(detector.suspiciousFromNanos())).isCloseTo(8, within(1e-4));
    }

    @Test
    void doubtIsZeroRightAfterAnAnswer() {
        PhiAccrualDetector detector = beating(DEFAULTS, 10);
        assertThat(detector.phi(30 * SECOND)).isGreaterThan(100);

        detector.answered(30 * SECOND, false);

        assertThat(detector.phi(30 * SECOND)).isZero();
        assertThat(detector.isSuspicious(30 * SECOND)).isFalse();
    }

    @Test
    void silenceDoesNotCountWhileNothingWasAsked() {
        PhiAccrualDetector detector = beating(DEFAULTS, 10);
        detector.answered(10 * SECOND + MILLI, false);

        assertThat(detector.isSuspicious(CENTURY)).isFalse();
        assertThat(detector.phi(CENTURY)).isEqualTo(detector.phi(11 * SECOND + MILLI));

        // Asked again after a long time: as if it had answered one interval before.
        detector.asked(500 * SECOND);
        assertThat(detector.suspiciousFromNanos() - 499 * SECOND).isBetween(4_300 * MILLI, 5 * SECOND);
    }

    @Test
    void silenceCountsFromTheLastAnswerWhenAskedWithinTheInterval() {
        PhiAccrualDetector detector = new PhiAccrualDetector(DEFAULTS);
        detector.asked(0);
        detector.answered(400 * MILLI, false);
        detector.asked(1_000 * MILLI);
        long from = detector.suspiciousFromNanos();
        detector.asked(2_000 * MILLI);

        assertThat(detector.suspiciousFromNanos()).isEqualTo(from);
        assertThat(from - 400 * MILLI).isEqualTo(4 * SECOND + (long) (PhiCurve.deviationsAt(8) * 250 * MILLI) + 1);
    }

    @Test
    void anAnswerThatIsHandledAfterTheNextHeartbeatLeavesItAwaited() {
        PhiAccrualDetector detector = new PhiAccrualDetector(DEFAULTS);
        detector.asked(0);
        detector.asked(SECOND);
        detector.answered(700 * MILLI, false);
        assertThat(detector.suspiciousFromNanos() - 700 * MILLI).isBetween(4 * SECOND, 6 * SECOND);

        detector.answered(SECOND, false);
        assertThat(detector.suspiciousFromNanos()).isEqualTo(Long.MAX_VALUE);

        detector.asked(9 * SECOND);
        detector.answered(2 * SECOND, false);
        assertThat(detector.suspiciousFromNanos() - 8 * SECOND).isBetween(4 * SECOND, 6 * SECOND);
    }

    @Test
    void arrivalTimesNeverGoBackwards() {
        PhiAccrualDetector detector = new PhiAccrualDetector(DEFAULTS);
        detector.asked(5 * SECOND);
        detector.answered(6 * SECOND, false);
        detector.answered(2 * SECOND, false);
        detector.asked(6 * SECOND + 1);

        assertThat(detector.suspiciousFromNanos()).isGreaterThan(10 * SECOND);
    }

    @Test
    void onlyIntervalsInRhythmChangeTheRhythm() {
        PhiAccrualDetector steady = beating(DEFAULTS, 50);
        PhiAccrualDetector outage = beating(DEFAULTS, 50);
        outage.answered(400 * SECOND, false);
        outage.asked(400 * SECOND + 1);
        assertThat(outage.suspiciousFromNanos() - 400 * SECOND).isEqualTo(steady.suspiciousFromNanos() - 50 * SECOND);

        PhiAccrualDetector patient = beating(DEFAULTS, 50);
        patient.answered(400 * SECOND, true);
        patient.asked(400 * SECOND + 1);
        assertThat(patient.suspiciousFromNanos() - 400 * SECOND).isGreaterThan(100 * SECOND);
    }

    @Test
    void anExcuseMovesSilenceForwardButNotBeyondNow() {
        PhiAccrualDetector detector = beating(DEFAULTS, 50);
        long from = detector.suspiciousFromNanos();

        detector.excuse(3 * SECOND, 60 * SECOND);
        assertThat(detector.suspiciousFromNanos()).isEqualTo(from + 3 * SECOND);

        detector.excuse(30 * SECOND, 60 * SECOND);
        assertThat(detector.suspiciousFromNanos()).isEqualTo(from + 10 * SECOND);
        assertThat(detector.phi(60 * SECOND)).isZero();

        detector.excuse(30 * SECOND, 55 * SECOND);
        assertThat(detector.suspiciousFromNanos()).isEqualTo(from + 10 * SECOND);
    }

    @Test
    void anExcusedPauseDoesNotEnterTheRhythm() {
        PhiAccrualDetector detector = beating(DEFAULTS, 50);
        long patience = detector.suspiciousFromNanos() - 50 * SECOND;
        detector.excuse(100 * SECOND, 150 * SECOND);
        detector.answered(151 * SECOND, true);
        detector.asked(151 * SECOND + 1);

        assertThat(detector.suspiciousFromNanos() - 151 * SECOND).isCloseTo(patience, within(10 * MILLI));
    }

    @Test
    void patienceWithoutEndOverflowsNothing() {
        FailureSettings endless = FailureSettings.defaults().withAcceptableHeartbeatPause(Duration.ofDays(100 * 365));
        PhiAccrualDetector detector = new PhiAccrualDetector(SuspicionRule.of(endless));
        detector.asked(SECOND);

        assertThat(detector.suspiciousFromNanos()).isEqualTo(SECOND + (1L << 61) + 1);
        assertThat(detector.phi(CENTURY)).isFinite().isNotNegative();
    }

    @Test
    void thereIsNoPatienceBelowZero() {
        FailureSettings nervous = new FailureSettings(
                Duration.ofSeconds(1), 1e-9, 10, Duration.ofSeconds(5), Duration.ZERO, Duration.ofSeconds(1), 5);
        PhiAccrualDetector detector = new PhiAccrualDetector(SuspicionRule.of(nervous));
        detector.asked(SECOND);

        assertThat(detector.suspiciousFromNanos()).isEqualTo(SECOND + 1);
    }

    @Test
    void phiIsFiniteAndNeverFallsInSilence() {
        qt().withFixedSeed(4714)
                .withExamples(2_000)
                .forAll(
                        lists().of(longs().between(0, 30 * SECOND)).ofSizeBetween(0, 40),
                        longs().between(0, CENTURY),
                        longs().between(0, 10 * SECOND),
                        doubles().between(0.01, 300))
                .checkAssert(PhiAccrualDetectorTest::assertPhiIsLawful);
    }

    private static void assertPhiIsLawful(List<Long> intervals, long silence, long more, double threshold) {
        PhiAccrualDetector detector = new PhiAccrualDetector(SuspicionRule.of(settings(1, threshold, 3, 1)));
        long now = 0;
        detector.asked(now);
        for (long interval : intervals) {
            now += interval;
            detector.answered(now, true);
            assertThat(detector.phi(now)).isBetween(0.0, 0.31);
            detector.asked(now + 1);
        }
        double before = detector.phi(now + silence);
        double after = detector.phi(now + silence + more);
        assertThat(before).isFinite().isNotNegative();
        assertThat(after).isFinite().isGreaterThanOrEqualTo(before);
        long from = detector.suspiciousFromNanos();
        assertThat(detector.phi(from)).isCloseTo(threshold, within(threshold * 1e-4));
        assertThat(detector.phi(from - SECOND)).isLessThan(threshold);
    }

    @Test
    void phiNeverFallsWhenAskingAgain() {
        qt().withFixedSeed(4715)
                .withExamples(1_000)
                .forAll(longs().between(0, 20 * SECOND), integers().between(1, 50))
                .checkAssert((wait, beats) -> {
                    PhiAccrualDetector detector = beating(DEFAULTS, beats);
                    detector.answered(beats * SECOND + MILLI, true);
                    double before = detector.phi(beats * SECOND + wait);
                    detector.asked(beats * SECOND + wait);
                    assertThat(detector.phi(beats * SECOND + wait)).isGreaterThanOrEqualTo(before);
                });
    }

    /** Asked and answered every second, and asked once more just after the last answer, at {@code beats} seconds. */
    private static PhiAccrualDetector beating(SuspicionRule rule, int beats) {
        PhiAccrualDetector detector = new PhiAccrualDetector(rule);
        detector.asked(0);
        for (int i = 1; i <= beats; i++) {
            detector.answered(i * SECOND, true);
            detector.asked(i * SECOND + 1);
        }
        return detector;
    }

    private static FailureSettings settings(int intervalSeconds, double threshold, int pauseSeconds, int firstSeconds) {
        return new FailureSettings(
                Duration.ofSeconds(intervalSeconds),
                threshold,
                100,
                Duration.ofMillis(100),
                Duration.ofSeconds(pauseSeconds),
                Duration.ofSeconds(firstSeconds),
                5);
    }
}

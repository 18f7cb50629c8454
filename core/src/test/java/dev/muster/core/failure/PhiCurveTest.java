package dev.muster.core.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.doubles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PhiCurveTest {

    /** The normal distribution's tail, as tables have it, within the error of the logistic approximation. */
    @ParameterizedTest
    @CsvSource({"-40, 0", "-2, 0.0100", "-1, 0.0750", "0, 0.3010", "1, 0.7995", "2, 1.6430", "3, 2.9088", "5.6, 9.2663"
    })
    void phiIsTheLogarithmOfTheTail(double deviations, double phi) {
        assertThat(PhiCurve.phi(deviations)).isCloseTo(phi, within(0.02));
    }

    @Test
    void phiAgreesWithTheFormulaWhereTheFormulaWorks() {
        for (double deviations = -5; deviations < 7; deviations += 0.01) {
            double e = Math.exp(-deviations * (1.5976 + 0.070566 * deviations * deviations));
            assertThat(PhiCurve.phi(deviations)).isCloseTo(-Math.log10(e / (1 + e)), within(1e-9));
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {20, 100, 1e6, 1e18})
    void phiIsFiniteWhereTheFormulaIsNot(double deviations) {
        double cubic = deviations * (1.5976 + 0.070566 * deviations * deviations);

        assertThat(PhiCurve.phi(deviations)).isFinite().isCloseTo(cubic / Math.log(10), within(cubic * 1e-12));
    }

    @Test
    void phiIsZeroAndNotLessFarAheadOfTime() {
        assertThat(PhiCurve.phi(-1e18)).isZero();
        assertThat(PhiCurve.phi(-1e100)).isZero();
    }

    @Test
    void phiNeverFallsNotEvenByARounding() {
        qt().withFixedSeed(4713)
                .withExamples(20_000)
                .forAll(doubles().between(-50, 50))
                .checkAssert(d -> assertThat(PhiCurve.phi(Math.nextUp(d))).isGreaterThanOrEqualTo(PhiCurve.phi(d)));
        double before = 0;
        for (double deviations = 7.0; deviations < 7.4; deviations += 1e-5) {
            assertThat(PhiCurve.phi(deviations)).isGreaterThanOrEqualTo(before);
            before = PhiCurve.phi(deviations);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-300, 1e-9, 0.1, 0.30102999566398120, 0.5, 1, 8, 12, 16, 18, 100, 300})
    void deviationsAtIsTheInverse(double phi) {
        double deviations = PhiCurve.deviationsAt(phi);

        assertThat(deviations).isFinite();
        assertThat(PhiCurve.phi(deviations)).isCloseTo(phi, within(phi * 1e-9));
    }

    @Test
    void theDefaultThresholdIsAboutFiveAndAHalfDeviations() {
        assertThat(PhiCurve.deviationsAt(8)).isCloseTo(5.226, within(0.001));
        assertThat(PhiCurve.deviationsAt(0.1)).isNegative();
    }
}

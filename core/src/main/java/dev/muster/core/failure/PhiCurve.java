package dev.muster.core.failure;

/**
 * The curve from lateness to doubt: phi is minus the decimal logarithm of the chance that an answer which is late by so
 * many standard deviations still comes.
 *
 * <p>The normal distribution is replaced by the usual logistic approximation, chance = 1 / (1 + e^z) with z a cubic of
 * the deviations. Taken literally it underflows at some twenty deviations and phi becomes infinite; as a logarithm
 * throughout it stays finite and never falls, for centuries of silence. {@link StrictMath}, so that one seed gives one
 * history on every machine.
 */
final class PhiCurve {
    private static final double LINEAR = 1.5976;
    private static final double CUBIC = 0.070566;
    private static final double LN_10 = StrictMath.log(10);

    /** Beyond this log(1 + e^z) is z, as far as a double can tell. */
    private static final double STRAIGHT_FROM = 40;

    private PhiCurve() {}

    static double phi(double deviations) {
        double z = deviations * (LINEAR + CUBIC * deviations * deviations);
        double logOfOnePlusExp = z >= STRAIGHT_FROM ? z : Math.min(STRAIGHT_FROM, StrictMath.log1p(StrictMath.exp(z)));
        return logOfOnePlusExp / LN_10;
    }

    /** The inverse: how many deviations late an answer must be for this phi, which must be positive. */
    static double deviationsAt(double phi) {
        double z = StrictMath.log(StrictMath.expm1(phi * LN_10));
        // The cubic is steeper than its linear part, so this start is beyond the root, and Newton's method slides
        // down to it without overshooting.
        double deviations = z / LINEAR;
        for (double step = 1; Math.abs(step) > 1e-12 * Math.abs(deviations); deviations -= step) {
            double square = deviations * deviations;
            step = (deviations * (LINEAR + CUBIC * square) - z) / (LINEAR + 3 * CUBIC * square);
        }
        return deviations;
    }
}

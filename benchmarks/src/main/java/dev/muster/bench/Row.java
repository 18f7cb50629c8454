package dev.muster.bench;

/**
 * One line of a report: something that is measured on every side.
 *
 * @param id tells the rows of a suite apart
 * @param resolution the smallest difference that means anything. A cost below it counts as this much in a ratio, which
 *     would otherwise be infinite where a cost is zero.
 */
public record Row(String id, String what, String unit, boolean higherIsBetter, double resolution) {

    /** How many times better {@code mine} is than {@code other}. */
    double ratio(double mine, double other) {
        double a = Math.max(mine, resolution);
        double b = Math.max(other, resolution);
        return higherIsBetter ? a / b : b / a;
    }
}

package dev.muster.bench;

import java.util.Arrays;
import java.util.Collection;

/** What one side showed in all rounds. */
public record Figures(double median, double min, double max, int rounds) {

    static Figures of(Collection<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return new Figures(median(sorted), sorted[0], sorted[sorted.length - 1], sorted.length);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The median of figures in any order. */
    public static double medianOf(double... values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return median(sorted);
    }
}

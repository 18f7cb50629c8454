package dev.muster.simulator.experiment;

import java.util.Arrays;
import java.util.List;

/** Sorted measurements. A percentile is a measured value and never something between two. */
public record Percentiles(List<Double> sorted) {

    static Percentiles of(List<Double> measured) {
        double[] values = measured.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(values); // what is not a number goes last: never reached is worse than any time
        return new Percentiles(Arrays.stream(values).boxed().toList());
    }

    /** The smallest measurement that this share of all do not exceed. */
    public double at(double share) {
        int rank = (int) Math.ceil(share * sorted.size());
        return sorted.get(Math.max(0, Math.min(sorted.size(), rank) - 1));
    }

    public double max() {
        return at(1);
    }
}

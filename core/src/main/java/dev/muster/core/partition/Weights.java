package dev.muster.core.partition;

import dev.muster.core.state.PartitionPath;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How much work one instance of each partition makes. Only proportions matter.
 *
 * <p>Where nothing is known everything weighs the same, and balancing by weight is balancing by count.
 */
public final class Weights {
    public static final Weights EVEN = new Weights(new TreeMap<>());

    private final TreeMap<PartitionPath, Double> instances;
    private final double usual;
    private final double heaviest;

    private Weights(TreeMap<PartitionPath, Double> instances) {
        this.instances = instances;
        this.usual = instances.values().stream().mapToDouble(w -> w).average().orElse(1);
        this.heaviest = instances.values().stream().mapToDouble(w -> w).max().orElse(1);
    }

    /**
     * @param instances the work of one instance of a path; a path that is not named weighs as much as the average one
     */
    public static Weights of(SortedMap<PartitionPath, Double> instances) {
        // A weight of nothing could be moved for ever without any effect.
        instances.forEach(Weights::requirePositive);
        return new Weights(new TreeMap<>(instances));
    }

    private static void requirePositive(PartitionPath path, double weight) {
        if (!(weight > 0 && weight < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("weight of " + path + " must be positive and finite, was " + weight);
        }
    }

    /** Whether any weight is known; if not, what is balanced is the number of instances. */
    public boolean areKnown() {
        return !instances.isEmpty();
    }

    public double of(PartitionPath path) {
        return instances.getOrDefault(path, usual);
    }

    double heaviest() {
        return heaviest;
    }

    /**
     * These weights moved towards newer ones, so that one odd measurement does not set partitions in motion. Of what
     * the newer ones do not name nothing changes. What only they name was not known before, and begins at the average.
     *
     * @param share how much of the difference is believed at once: 1 forgets the past, 0.2 needs some measurements
     */
    public Weights towards(Weights newer, double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be above 0 and at most 1, was " + share);
        }
        double average = instances.isEmpty() ? newer.usual : usual;
        TreeMap<PartitionPath, Double> blended = new TreeMap<>(instances);
        newer.instances.forEach((path, weight) -> {
            double before = instances.getOrDefault(path, average);
            blended.put(path, before + share * (weight - before));
        });
        return new Weights(blended);
    }

    /** These weights, each by so much heavier, or lighter if that is negative. */
    Weights shiftedBy(double difference) {
        if (difference == 0) {
            return this;
        }
        TreeMap<PartitionPath, Double> shifted = new TreeMap<>();
        instances.forEach((path, weight) -> shifted.put(path, weight + difference));
        return new Weights(shifted);
    }

    /** These weights without those of the paths of which the condition is false. */
    Weights onlyOf(Predicate<PartitionPath> isWanted) {
        TreeMap<PartitionPath, Double> left = new TreeMap<>(instances);
        return left.keySet().removeIf(path -> !isWanted.test(path)) ? new Weights(left) : this;
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Weights that && instances.equals(that.instances);
    }

    @Override
    public int hashCode() {
        return instances.hashCode();
    }

    @Override
    public String toString() {
        return "weights " + instances;
    }
}

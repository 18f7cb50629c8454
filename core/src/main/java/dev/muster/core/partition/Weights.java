package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * How much work one instance of each partition makes, and how much each node can bear. Only proportions matter.
 *
 * <p>Where nothing is known everything weighs the same, and balancing by weight is balancing by count.
 */
public final class Weights {
    public static final Weights EVEN = new Weights(new TreeMap<>(), new TreeMap<>());

    static final double USUAL_CAPACITY = 1;

    private final TreeMap<PartitionPath, Double> instances;
    private final TreeMap<NodeId, Double> capacities;
    private final double usual;
    private final double heaviest;

    private Weights(TreeMap<PartitionPath, Double> instances, TreeMap<NodeId, Double> capacities) {
        this.instances = instances;
        this.capacities = capacities;
        this.usual = instances.values().stream().mapToDouble(w -> w).average().orElse(1);
        this.heaviest = instances.values().stream().mapToDouble(w -> w).max().orElse(1);
    }

    /**
     * @param instances the work of one instance of a path; a path that is not named weighs as much as the average one
     * @param capacities what nodes can bear; one that is not named can bear 1
     */
    public static Weights of(SortedMap<PartitionPath, Double> instances, SortedMap<NodeId, Double> capacities) {
        // A weight of nothing could be moved for ever without any effect.
        instances.forEach((path, weight) -> requirePositive("weight", path, weight));
        capacities.forEach((node, capacity) -> requirePositive("capacity", node, capacity));
        return new Weights(new TreeMap<>(instances), new TreeMap<>(capacities));
    }

    private static void requirePositive(String what, Object of, double value) {
        if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(what + " of " + of + " must be positive and finite, was " + value);
        }
    }

    /** Whether any weight or capacity is known; if not, what is balanced is the number of instances. */
    public boolean areKnown() {
        return !instances.isEmpty() || !capacities.isEmpty();
    }

    public double of(PartitionPath path) {
        return instances.getOrDefault(path, usual);
    }

    double heaviest() {
        return heaviest;
    }

    public double capacityOf(NodeId node) {
        return capacities.getOrDefault(node, USUAL_CAPACITY);
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
        return new Weights(blended, newer.capacities);
    }

    /** These weights, each by so much heavier, or lighter if that is negative. */
    Weights shiftedBy(double difference) {
        if (difference == 0) {
            return this;
        }
        TreeMap<PartitionPath, Double> shifted = new TreeMap<>();
        instances.forEach((path, weight) -> shifted.put(path, weight + difference));
        return new Weights(shifted, capacities);
    }

    /** These weights without those of the paths of which the condition is false. */
    Weights onlyOf(Predicate<PartitionPath> isWanted) {
        TreeMap<PartitionPath, Double> left = new TreeMap<>(instances);
        return left.keySet().removeIf(path -> !isWanted.test(path)) ? new Weights(left, capacities) : this;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Weights that
                        && instances.equals(that.instances)
                        && capacities.equals(that.capacities);
    }

    @Override
    public int hashCode() {
        return instances.hashCode() * 31 + capacities.hashCode();
    }

    @Override
    public String toString() {
        return "weights " + instances + ", capacities " + capacities;
    }
}

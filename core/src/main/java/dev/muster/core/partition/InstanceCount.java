package dev.muster.core.partition;

import java.util.Locale;
import java.util.Objects;
import java.util.function.IntUnaryOperator;

/**
 * How many instances a partition should have: its N-value.
 *
 * <p>There are two reasons to have several. To survive the loss of f nodes there must be f + 1, and f may depend on the
 * number of nodes; a user states this as a function. To get the work done there may have to be more, which the load
 * tells: sustained pressure adds instances soon, up to twice as many at once, and long calm takes them away one by one.
 * Between the two lies a wide band in which nothing happens, so that a load that wavers does not make it waver.
 *
 * <p>There are never more than nodes that may host them, nor than the user allows. The user's limit also goes before
 * the number of losses to survive: whoever states both means the limit to hold.
 *
 * <p>Specification: "Partitioning".
 */
public final class InstanceCount {
    /** An instance is given up if the others would still be this far from having too much to do. */
    private static final double CALM = 0.7;

    private static final double MOST_GROWTH = 2;

    private final IntUnaryOperator toleratedFailures;
    private final int maximum;
    private final ScalingSettings scaling = ScalingSettings.defaults();

    private InstanceCount(IntUnaryOperator toleratedFailures, int maximum) {
        this.toleratedFailures = Objects.requireNonNull(toleratedFailures, "toleratedFailures");
        this.maximum = maximum;
    }

    /** As many as it takes to survive the loss of so many nodes, given the number of nodes; more under load. */
    public static InstanceCount surviving(IntUnaryOperator toleratedFailures) {
        return new InstanceCount(toleratedFailures, Integer.MAX_VALUE);
    }

    /** As many as it takes to survive the loss of so many nodes, or of all but one where there are not more. */
    public static InstanceCount survivingUpTo(int failures) {
        return surviving(nodes -> Math.min(failures, nodes - 1));
    }

    /** So many, whatever the load is; fewer only while there are not enough nodes. */
    public static InstanceCount exactly(int instances) {
        return survivingUpTo(instances - 1).withMaximum(instances);
    }

    public InstanceCount withMaximum(int next) {
        if (next < 1) {
            throw new IllegalArgumentException("maximum of instances must be at least 1, was " + next);
        }
        return new InstanceCount(toleratedFailures, next);
    }

    /**
     * What is the case when the number is decided.
     *
     * @param instances how many there are now
     * @param eligible how many nodes may host an instance
     * @param hinted how many the user expects to be needed at least, 0 without such a hint
     */
    public record Situation(int instances, int eligible, int hinted) {
        public Situation {
            if (instances < 0 || eligible < 0 || hinted < 0) {
                throw new IllegalArgumentException("instances, eligible nodes and hint must not be negative, were "
                        + instances + ", " + eligible + " and " + hinted);
            }
        }
    }

    /** The least number that survives what is to be survived with so many nodes; 0 without any. */
    public int minimum(int eligible) {
        if (eligible == 0) {
            return 0;
        }
        int failures = toleratedFailures.applyAsInt(eligible);
        if (failures < 0 || failures >= eligible) {
            throw new IllegalArgumentException("tolerated failures of " + eligible + " nodes must be from 0 to "
                    + (eligible - 1) + ", was " + failures
                    + "; no partition outlives all nodes, so let the function of "
                    + "the number of nodes return less than that number");
        }
        return Math.min(failures + 1, maximum);
    }

    /** How many there should be, after what was measured. */
    public InstanceDecision decide(Situation now, DemandHistory history) {
        int ceiling = Math.min(now.eligible(), maximum);
        InstanceDecision floor = floor(now, ceiling);
        InstanceDecision wanted = byLoad(now, history);
        if (wanted.instances() < floor.instances()) {
            return floor;
        }
        if (wanted.instances() > ceiling) {
            String limit = now.eligible() < maximum ? "only so many nodes may host it" : "the user allows no more";
            return new InstanceDecision(ceiling, limit);
        }
        return wanted;
    }

    private InstanceDecision floor(Situation now, int ceiling) {
        int minimum = minimum(now.eligible());
        return now.hinted() > minimum
                ? new InstanceDecision(Math.min(now.hinted(), ceiling), "a user expects to need " + now.hinted())
                : new InstanceDecision(minimum, "so that it survives the loss of " + (minimum - 1) + " nodes");
    }

    private InstanceDecision byLoad(Situation now, DemandHistory history) {
        int instances = now.instances();
        if (instances == 0 || history.instances() != instances) {
            return new InstanceDecision(instances, "nothing is known about its load yet");
        }
        double pressure = history.sustainedPressure(scaling);
        if (pressure > 1) {
            return new InstanceDecision(
                    (int) Math.ceil(instances * Math.min(pressure, MOST_GROWTH)),
                    sentence(
                            "its load was at least %.1f times what it can take for %d samples",
                            pressure, scaling.samplesToGrow()));
        }
        double strainOfFewer = history.usualStrain(scaling) * instances / Math.max(1, instances - 1);
        if (history.isPatient(scaling) && strainOfFewer <= CALM) {
            return new InstanceDecision(
                    instances - 1,
                    sentence(
                            "one fewer would have to take %.0f %% of what it can, after %d samples",
                            100 * strainOfFewer, history.age()));
        }
        return new InstanceDecision(instances, "its load is neither too high nor low enough for one fewer");
    }

    private static String sentence(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

package dev.muster.core.partition;

import java.util.ArrayList;
import java.util.List;

/**
 * How hard a partition was pressed lately, since it has had its present number of instances.
 *
 * <p>What was measured with another number says nothing about this one, so the history begins anew when the number
 * changes. What stays is the memory of having given up an instance that was soon needed again: mailboxes that are empty
 * do not tell whether one fewer would do, only trying does, and each failure makes the next try come later.
 *
 * @param instances the number that all samples are about; 0 before the first one
 * @param recent the last samples, the newest last, at most {@link #LONGEST}
 * @param age samples since the number changed
 * @param shrunk whether it was higher before
 * @param regrets how often in a row an instance was given up in vain
 */
public record DemandHistory(int instances, List<Demand> recent, int age, boolean shrunk, int regrets) {
    public static final int LONGEST = 60;
    public static final DemandHistory NONE = new DemandHistory(0, List.of(), 0, false, 0);

    private static final int MOST_REGRETS = 5;

    public DemandHistory {
        recent = List.copyOf(recent);
        if (recent.size() > LONGEST || recent.size() > age) {
            throw new IllegalArgumentException(
                    "a history of age " + age + " and " + LONGEST + " samples at most cannot have " + recent.size());
        }
        if (regrets < 0 || regrets > MOST_REGRETS) {
            throw new IllegalArgumentException("regrets must be from 0 to " + MOST_REGRETS + ", was " + regrets);
        }
    }

    /** This history after one more sample, taken while there were so many instances. */
    public DemandHistory with(Demand sample, int instancesNow) {
        if (instancesNow != instances) {
            return new DemandHistory(
                    instancesNow, List.of(sample), 1, instancesNow < instances, regretsWhen(instancesNow));
        }
        List<Demand> longer = new ArrayList<>(recent.subList(recent.size() < LONGEST ? 0 : 1, recent.size()));
        longer.add(sample);
        // An instance that was not missed for so long was given up with good reason.
        boolean proved = shrunk && age + 1 >= LONGEST;
        return new DemandHistory(
                instances, longer, Math.min(age, Integer.MAX_VALUE - 1) + 1, shrunk, proved ? 0 : regrets);
    }

    private int regretsWhen(int instancesNow) {
        boolean missedSoon = shrunk && instancesNow > instances && age < LONGEST;
        return missedSoon ? Math.min(regrets + 1, MOST_REGRETS) : regrets;
    }

    /** Whether all of the last samples are above what the instances can take; if so, by which factor at least. */
    double sustainedPressure(ScalingSettings settings) {
        int from = recent.size() - settings.samplesToGrow();
        return from < 0
                ? 0
                : recent.subList(from, recent.size()).stream()
                        .mapToDouble(demand -> demand.pressure(settings))
                        .min()
                        .orElseThrow();
    }

    /** Whether it is old enough for giving up an instance. */
    boolean isPatient(ScalingSettings settings) {
        return age >= (long) settings.samplesToShrink() << regrets;
    }

    /** How hard the instances were strained, on average over the samples that matter for giving one up. */
    double usualStrain(ScalingSettings settings) {
        return recent.subList(Math.max(0, recent.size() - settings.samplesToShrink()), recent.size()).stream()
                .mapToDouble(demand -> demand.strain(settings))
                .average()
                .orElse(Double.POSITIVE_INFINITY);
    }
}

package dev.muster.core.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * How hard a partition was pressed lately, since it has had its present number of instances.
 *
 * <p>What was measured with another number says nothing about this one, so the history begins anew when the number
 * changes. What stays is a regret: the number that was tried and turned out to be too few. Mailboxes that are empty do
 * not tell whether one instance fewer would do, only trying does, and each failure makes the next try come later.
 *
 * @param instances the number that all samples are about; 0 before the first one
 * @param recent the last samples, the newest last, at most {@link #LONGEST}
 * @param age samples since the number changed
 * @param shrunk whether it was higher before
 */
public record DemandHistory(int instances, List<Demand> recent, int age, boolean shrunk, Regret regret) {
    public static final int LONGEST = 60;
    public static final DemandHistory NONE = new DemandHistory(0, List.of(), 0, false, Regret.NONE);

    /**
     * A number of instances that was given up soon after it was reached from above, so many times in a row.
     *
     * @param instances 0 when there is nothing to regret
     */
    public record Regret(int instances, int times) {
        public static final Regret NONE = new Regret(0, 0);

        private static final int MOST = 5;

        public Regret {
            if (times < 0 || times > MOST) {
                throw new IllegalArgumentException("regrets must be from 0 to " + MOST + ", was " + times);
            }
        }

        private Regret of(int tooFew) {
            return new Regret(tooFew, tooFew == instances ? Math.min(times + 1, MOST) : 1);
        }
    }

    public DemandHistory {
        recent = List.copyOf(recent);
        if (recent.size() > LONGEST || recent.size() > age) {
            throw new IllegalArgumentException(
                    "a history of age " + age + " and " + LONGEST + " samples at most cannot have " + recent.size());
        }
        Objects.requireNonNull(regret, "regret");
    }

    /** This history after one more sample, taken while there were so many instances. */
    public DemandHistory with(Demand sample, int instancesNow) {
        if (instancesNow != instances) {
            boolean missedSoon = shrunk && instancesNow > instances && age < LONGEST;
            Regret next = missedSoon ? regret.of(instances) : regret;
            return new DemandHistory(instancesNow, List.of(sample), 1, instancesNow < instances, next);
        }
        List<Demand> longer = new ArrayList<>(recent.subList(recent.size() < LONGEST ? 0 : 1, recent.size()));
        longer.add(sample);
        int older = Math.min(age, Integer.MAX_VALUE - 1) + 1;
        boolean isEnoughAfterAll = instances <= regret.instances && older >= LONGEST;
        return new DemandHistory(instances, longer, older, shrunk, isEnoughAfterAll ? Regret.NONE : regret);
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

    /** Whether it is old enough for giving up an instance: twice as old with every regret about that. */
    boolean isPatient(ScalingSettings settings) {
        int regrets = instances - 1 <= regret.instances ? regret.times : 0;
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

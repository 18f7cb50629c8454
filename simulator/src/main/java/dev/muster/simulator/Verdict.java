package dev.muster.simulator;

import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.SimulationOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * What came of one run.
 *
 * @param plan all that the seed decided
 * @param faultsByKind how many faults had an effect, by the name of their kind
 * @param checks how many times a checker looked
 * @param violations the first one decides; the run ends there
 * @param traceHash equal for every run of the same plan, on any machine and JDK
 * @param situations rare but wanted situations that were reached
 * @param events how many events the world worked through
 * @param judgements how often each promise about partitions was judged, by its id
 */
public record Verdict(
        SimulationOptions options,
        RunPlan plan,
        double simulatedSeconds,
        double nodeHours,
        SortedMap<String, Long> faultsByKind,
        long checks,
        List<Violation> violations,
        String traceHash,
        SortedSet<String> situations,
        long messages,
        long events,
        SortedMap<String, Judgements> judgements) {

    public Verdict {
        faultsByKind = Collections.unmodifiableSortedMap(new TreeMap<>(faultsByKind));
        violations = List.copyOf(violations);
        judgements = Collections.unmodifiableSortedMap(new TreeMap<>(judgements));
    }

    public long seed() {
        return plan.seed();
    }

    /** The same with one more finding. */
    Verdict alsoWith(Violation violation) {
        List<Violation> more = new ArrayList<>(violations);
        more.add(violation);
        return new Verdict(
                options,
                plan,
                simulatedSeconds,
                nodeHours,
                faultsByKind,
                checks,
                more,
                traceHash,
                situations,
                messages,
                events,
                judgements);
    }

    public boolean isClean() {
        return violations.isEmpty();
    }

    public long faults() {
        return faultsByKind.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What to type to see it again. */
    public String replay() {
        return new Replay(seed(), options).toString();
    }
}

package dev.muster.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What came of many seeds together.
 *
 * @param violating the verdicts that were not clean, by seed
 * @param situations in how many seeds each wanted situation was reached
 */
public record SimulationReport(
        long seeds,
        double simulatedSeconds,
        double nodeHours,
        SortedMap<String, Long> faultsByKind,
        long checks,
        long messages,
        List<Verdict> violating,
        SortedMap<String, Long> situations,
        double realSeconds) {

    public SimulationReport {
        faultsByKind = Collections.unmodifiableSortedMap(new TreeMap<>(faultsByKind));
        situations = Collections.unmodifiableSortedMap(new TreeMap<>(situations));
        violating = List.copyOf(violating);
    }

    public boolean isClean() {
        return violating.isEmpty();
    }

    public long faults() {
        return faultsByKind.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Adds verdicts as they come in, from any thread. */
    static final class Sum {
        private final TreeMap<String, Long> faults = new TreeMap<>();
        private final TreeMap<String, Long> situations = new TreeMap<>();
        private final List<Verdict> violating = new ArrayList<>();
        private long seeds;
        private double simulatedSeconds;
        private double nodeHours;
        private long checks;
        private long messages;

        synchronized void add(Verdict verdict) {
            seeds++;
            simulatedSeconds += verdict.simulatedSeconds();
            nodeHours += verdict.nodeHours();
            checks += verdict.checks();
            messages += verdict.messages();
            verdict.faultsByKind().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
            verdict.situations().forEach(situation -> situations.merge(situation, 1L, Long::sum));
            if (!verdict.isClean()) {
                violating.add(verdict);
            }
        }

        synchronized SimulationReport report(Duration real) {
            violating.sort(Comparator.comparingLong(Verdict::seed));
            return new SimulationReport(
                    seeds,
                    simulatedSeconds,
                    nodeHours,
                    faults,
                    checks,
                    messages,
                    violating,
                    situations,
                    real.toNanos() / 1e9);
        }
    }
}

package dev.muster.node.command;

import dev.muster.simulator.Judgements;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What one seed led to.
 *
 * @param faultsByKind how many faults of each kind were injected
 * @param checks how many times a checker looked at the world
 * @param text what a scenario file answered
 * @param measured what a built-in scenario measured
 * @param traceHash equal for every run of this seed and request, on any machine and JDK
 * @param situations rare but wanted situations that were reached
 * @param judgements how often each promise about partitions was judged, by its id
 */
public record SeedOutcome(
        double simulatedSeconds,
        double nodeHours,
        Map<String, Long> faultsByKind,
        long checks,
        List<Violation> violations,
        String traceHash,
        Optional<Measured> measured,
        Optional<String> text,
        SortedSet<String> situations,
        Map<String, Judgements> judgements) {

    public SeedOutcome {
        faultsByKind = Collections.unmodifiableMap(new TreeMap<>(faultsByKind));
        violations = List.copyOf(violations);
        situations = Collections.unmodifiableSortedSet(new TreeSet<>(situations));
        judgements = Collections.unmodifiableMap(new TreeMap<>(judgements));
    }

    /** One that notes no situations, and has nobody who judges partitions. */
    public SeedOutcome(
            double simulatedSeconds,
            double nodeHours,
            Map<String, Long> faultsByKind,
            long checks,
            List<Violation> violations,
            String traceHash,
            Optional<Measured> measured,
            Optional<String> text) {
        this(
                simulatedSeconds,
                nodeHours,
                faultsByKind,
                checks,
                violations,
                traceHash,
                measured,
                text,
                Collections.emptySortedSet(),
                Map.of());
    }

    /** The outcome of a run that ended with an exception: that is a finding too, and as replayable as any. */
    static SeedOutcome crashed(Throwable problem) {
        StackTraceElement[] stack = problem.getStackTrace();
        String where = stack.length == 0 ? "" : " at " + stack[0];
        return new SeedOutcome(
                0,
                0,
                Map.of(),
                0,
                List.of(new Violation("exception", problem + where)),
                "",
                Optional.empty(),
                Optional.empty());
    }

    /**
     * @param invariant its id, as in {@code M4}
     * @param detail what was seen, in a sentence
     */
    public record Violation(String invariant, String detail) {}

    /**
     * The figures of a scenario that measures something.
     *
     * @param fields for scripts: added to the JSON object, in this order
     * @param text for people: whole lines
     */
    public record Measured(Map<String, Object> fields, String text) {
        public Measured {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        }
    }
}

package dev.muster.node.command;

import dev.muster.node.Terminal;
import dev.muster.simulator.Judgements;
import dev.muster.simulator.SeedRange;
import dev.muster.simulator.check.CrashCells;
import dev.muster.simulator.check.HandoffSituations;
import dev.muster.simulator.plan.Workload;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.json.JsonMapper;

/**
 * What all seeds of one command led to, for people and for scripts.
 *
 * @param situations in how many seeds each wanted situation was reached
 * @param judgements how often each promise about partitions was judged, by its id
 * @param only the outcome of the only seed; empty if there were several
 */
record SimulationReport(
        SeedRange seeds,
        double simulatedSeconds,
        double nodeHours,
        Map<String, Long> faultsByKind,
        long checks,
        List<Finding> violations,
        Duration realTime,
        int threads,
        Map<String, Long> situations,
        Map<String, Judgements> judgements,
        Optional<SeedOutcome> only) {

    private static final int MOST_VIOLATIONS_SHOWN = 20;

    /** A violation and the seed that shows it. */
    record Finding(long seed, String invariant, String detail) {}

    long faults() {
        return faultsByKind.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The fields that scripts rely on, see {@code docs/simulation.md}. */
    String json(String replayOptions) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("seeds", seeds.count());
        fields.put("simulatedSeconds", rounded(simulatedSeconds));
        fields.put("nodeHours", rounded(nodeHours));
        fields.put("faults", faults());
        fields.put("faultsByKind", faultsByKind);
        fields.put("checks", checks);
        fields.put(
                "violations",
                violations.stream().map(found -> fields(found, replayOptions)).toList());
        fields.put("realSeconds", rounded(realTime.toNanos() / 1e9));
        fields.put("situations", situations);
        fields.put("judgements", judgements);
        only.ifPresent(outcome -> {
            fields.put("traceHash", outcome.traceHash());
            outcome.text().ifPresent(text -> fields.put("text", text));
            outcome.measured().ifPresent(figures -> fields.putAll(figures.fields()));
        });
        return JsonMapper.builder().build().writeValueAsString(fields);
    }

    void print(Terminal terminal, String replayOptions) {
        PrintWriter out = terminal.out();
        Optional<String> text = only.flatMap(SeedOutcome::text);
        if (text.isPresent()) {
            out.print(text.get());
            return;
        }
        line(out, "seeds", "%,d (%s)", seeds.count(), seeds);
        line(out, "simulated", "%s, %,.1f node-hours", readable(simulatedSeconds), nodeHours);
        line(out, "faults", "%,d%s", faults(), faultList());
        line(out, "checks", "%,d", checks);
        printCells(out);
        printJudgements(out);
        only.ifPresent(outcome -> printSingle(out, outcome));
        line(
                out,
                "real time",
                "%s on %d %s",
                readable(realTime.toNanos() / 1e9),
                threads,
                threads == 1 ? "thread" : "threads");
        Ansi ansi = terminal.hasColours() ? Ansi.ON : Ansi.OFF;
        if (violations.isEmpty()) {
            line(out, "violations", "%s", ansi.string("@|bold,green 0|@"));
            return;
        }
        line(
                out,
                "violations",
                "%s",
                ansi.string("@|bold,red " + String.format(Locale.ROOT, "%,d", violations.size()) + "|@"));
        violations.stream().limit(MOST_VIOLATIONS_SHOWN).forEach(found -> print(out, found, replayOptions));
        if (violations.size() > MOST_VIOLATIONS_SHOWN) {
            out.println();
            out.println("and " + (violations.size() - MOST_VIOLATIONS_SHOWN) + " more; --json lists all");
        }
    }

    /** Of all who could crash at all steps of a move under all options, how many did. */
    private void printCells(PrintWriter out) {
        Set<String> cells = CrashCells.all(Workload.policies());
        long seen = cells.stream().filter(situations::containsKey).count();
        if (seen > 0) {
            line(out, "crash cells", "%d of %d", seen, cells.size());
            printRareMoves(out);
        }
    }

    /** Of the rare situations that moves should have been in, in how many they were, and in which they were not. */
    private void printRareMoves(PrintWriter out) {
        Set<String> missing = new TreeSet<>(HandoffSituations.all());
        int all = missing.size();
        missing.removeAll(situations.keySet());
        String rest = missing.isEmpty() ? "" : "; not: " + String.join(", ", missing);
        line(out, "rare moves", "%d of %d%s", all - missing.size(), all, rest);
    }

    /** How much of it all the checkers of partitions have judged, and how much they have let off. */
    private void printJudgements(PrintWriter out) {
        if (!judgements.isEmpty()) {
            line(out, "judged", "%s", counts(Judgements::judged));
            line(out, "let off", "%s", counts(Judgements::letOff));
        }
    }

    private String counts(ToLongFunction<Judgements> which) {
        String counts = judgements.entrySet().stream()
                .filter(it -> which.applyAsLong(it.getValue()) > 0)
                .map(it -> String.format(Locale.ROOT, "%s %,d", it.getKey(), which.applyAsLong(it.getValue())))
                .collect(Collectors.joining(", "));
        return counts.isEmpty() ? "none" : counts;
    }

    private static void printSingle(PrintWriter out, SeedOutcome outcome) {
        outcome.measured().ifPresent(figures -> out.print(figures.text()));
        line(out, "trace hash", "%s", outcome.traceHash());
    }

    private static void print(PrintWriter out, Finding found, String replayOptions) {
        out.println();
        out.println("seed " + found.seed + " breaks " + found.invariant + ": " + found.detail);
        out.println("  replay: " + replay(found, replayOptions));
    }

    private static Map<String, Object> fields(Finding found, String replayOptions) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("seed", found.seed);
        fields.put("invariant", found.invariant);
        fields.put("detail", found.detail);
        fields.put("replay", replay(found, replayOptions));
        return fields;
    }

    private static String replay(Finding found, String replayOptions) {
        return "./muster simulate --seed " + found.seed + replayOptions;
    }

    private String faultList() {
        return faultsByKind.isEmpty()
                ? ""
                : faultsByKind.entrySet().stream()
                        .map(kind -> String.format(Locale.ROOT, "%s %,d", kind.getKey(), kind.getValue()))
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    private static void line(PrintWriter out, String name, String format, Object... values) {
        out.println(String.format(Locale.ROOT, "%-11s ", name) + String.format(Locale.ROOT, format, values));
    }

    private static String readable(double seconds) {
        if (seconds < 120) {
            return String.format(Locale.ROOT, "%.1f s", seconds);
        }
        return seconds < 7200
                ? String.format(Locale.ROOT, "%.1f min", seconds / 60)
                : String.format(Locale.ROOT, "%,.1f h", seconds / 3600);
    }

    private static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    /** Adds up outcomes as they come in, in any order and from any thread. */
    static final class Tally {

        private final SeedRange seeds;
        private final Map<String, Long> faultsByKind = new TreeMap<>();
        private final Map<String, Long> situations = new TreeMap<>();
        private final Map<String, Judgements> judgements = new TreeMap<>();
        private final List<Finding> violations = new ArrayList<>();
        private double simulatedSeconds;
        private double nodeHours;
        private long checks;
        private SeedOutcome last;

        Tally(SeedRange seeds) {
            this.seeds = seeds;
        }

        synchronized void add(long seed, SeedOutcome outcome) {
            simulatedSeconds += outcome.simulatedSeconds();
            nodeHours += outcome.nodeHours();
            checks += outcome.checks();
            outcome.faultsByKind().forEach((kind, count) -> faultsByKind.merge(kind, count, Long::sum));
            outcome.situations().forEach(it -> situations.merge(it, 1L, Long::sum));
            outcome.judgements().forEach((id, counts) -> judgements.merge(id, counts, Judgements::plus));
            outcome.violations().forEach(it -> violations.add(new Finding(seed, it.invariant(), it.detail())));
            last = outcome;
        }

        synchronized SimulationReport report(Duration realTime, int threads) {
            List<Finding> sorted = violations.stream()
                    .sorted(Comparator.comparingLong(Finding::seed))
                    .toList();
            return new SimulationReport(
                    seeds,
                    simulatedSeconds,
                    nodeHours,
                    faultsByKind,
                    checks,
                    sorted,
                    realTime,
                    threads,
                    situations,
                    judgements,
                    seeds.isOne() ? Optional.ofNullable(last) : Optional.empty());
        }
    }
}

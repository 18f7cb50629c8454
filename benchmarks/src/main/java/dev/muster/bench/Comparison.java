package dev.muster.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures all sides by turns.
 *
 * <p>Each round goes through all benchmarks, and each benchmark through all sides, with a new process for every figure.
 * So whatever else the machine does over time falls on all sides alike.
 *
 * @param sides who is compared, Muster first
 * @param duration for those that go on for as long as they are told to
 */
record Comparison(
        Suite suite,
        List<Benchmark> benchmarks,
        List<Side> sides,
        int rounds,
        boolean quick,
        Duration duration,
        List<String> javaOptions) {

    /** What was found: all rounds of each side, for each row. */
    Map<Row, Map<Side, Figures>> run(PrintWriter err) throws IOException, InterruptedException {
        Map<Side, Map<String, List<Double>>> values = new HashMap<>();
        Child child = new Child(javaOptions, err);
        for (int round = 1; round <= rounds; round++) {
            for (List<Benchmark> together : shares()) {
                for (Side side : inTurn(round)) {
                    List<Benchmark> possible =
                            together.stream().filter(it -> it.isFor(side)).toList();
                    if (possible.isEmpty()) {
                        continue;
                    }
                    Map<String, Double> found = child.run(side, this, ids(possible));
                    tell(err, round, side, possible, found);
                    Map<String, List<Double>> ofSide = values.computeIfAbsent(side, it -> new HashMap<>());
                    found.forEach((row, value) ->
                            ofSide.computeIfAbsent(row, it -> new ArrayList<>()).add(value));
                }
            }
        }
        return figures(values);
    }

    /** Figures that nobody will quote need no process for each; starting them would take most of the time. */
    private List<List<Benchmark>> shares() {
        return quick ? List.of(benchmarks) : benchmarks.stream().map(List::of).toList();
    }

    private static List<String> ids(List<Benchmark> benchmarks) {
        return benchmarks.stream().map(Benchmark::id).toList();
    }

    /** Another one begins in every round, so that none always finds the machine as the same other one left it. */
    private List<Side> inTurn(int round) {
        List<Side> order = new ArrayList<>(sides);
        Collections.rotate(order, round - 1);
        return order;
    }

    private void tell(PrintWriter err, int round, Side side, List<Benchmark> together, Map<String, Double> found) {
        for (Benchmark benchmark : together) {
            for (Row row : benchmark.rows()) {
                err.println(String.format(
                        Locale.ROOT,
                        "round %d of %d: %-38s %-9s %14s %s",
                        round,
                        rounds,
                        row.what(),
                        side.title(),
                        Report.number(found.get(row.id())),
                        row.unit()));
            }
        }
        err.flush();
    }

    private Map<Row, Map<Side, Figures>> figures(Map<Side, Map<String, List<Double>>> values) {
        Map<Row, Map<Side, Figures>> result = new LinkedHashMap<>();
        for (Benchmark benchmark : benchmarks) {
            for (Row row : benchmark.rows()) {
                Map<Side, Figures> ofRow = new LinkedHashMap<>();
                sides.stream()
                        .filter(benchmark::isFor)
                        .forEach(side ->
                                ofRow.put(side, Figures.of(values.get(side).get(row.id()))));
                result.put(row, ofRow);
            }
        }
        return result;
    }

    /** What Muster did that it must not do, in words; nothing if all is well. */
    List<String> faults(Map<Row, Map<Side, Figures>> results) {
        List<String> faults = new ArrayList<>();
        for (Benchmark benchmark : benchmarks) {
            for (Row row : benchmark.mustBeZero()) {
                double worst = results.get(row).get(Side.MUSTER).max();
                if (worst > 0) {
                    faults.add("must be 0, was " + Report.number(worst) + ": " + row.what());
                }
            }
        }
        return faults;
    }
}

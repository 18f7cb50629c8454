package dev.muster.simulator.experiment;

import dev.muster.simulator.experiment.SickNodeCase.Patient;
import dev.muster.simulator.fault.FaultAction.Direction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Does a node that loses four of five packets take healthy ones with it? A sick node accuses others as loudly as they
 * accuse it, and its accusations spread like all others. Scenario NET-15: at most the sick one may go, under every
 * strategy but down-all.
 */
public final class SickNode {
    public static final List<String> STRATEGIES =
            List.of("manual", "auto-down", "static-quorum", "keep-majority", "keep-oldest");
    public static final Duration FULL_ILLNESS = Duration.ofMinutes(3);

    /** Above this many nodes each combination is run once: they take long, and no promise is about them. */
    private static final int LARGE = 100;

    private SickNode() {}

    /** How many are sick among how many. */
    public record Ward(int nodes, int sick) {}

    /** What the promise is about, and other sizes beside it. */
    public static final List<Ward> FULL_WARDS =
            List.of(new Ward(50, 1), new Ward(5, 1), new Ward(10, 1), new Ward(200, 2));

    /** All cases of one strategy in one ward. */
    public record Row(Ward ward, String strategy, List<SickNodeRun.Outcome> outcomes) {
        public Row {
            outcomes = List.copyOf(outcomes);
        }

        public long healthyLost() {
            return outcomes.stream().mapToLong(SickNodeRun.Outcome::healthyLost).sum();
        }

        private List<Object> cells() {
            return List.of(
                    ward.sick + " of " + ward.nodes,
                    strategy,
                    outcomes.size(),
                    outcomes.stream().filter(it -> it.sickGone() == ward.sick).count(),
                    outcomes.stream()
                            .mapToLong(SickNodeRun.Outcome::healthyAccused)
                            .sum(),
                    healthyLost(),
                    outcomes.stream()
                            .mapToLong(SickNodeRun.Outcome::healthyLostInSickView)
                            .sum());
        }
    }

    /** All wards and strategies. */
    public record Result(List<Row> rows) implements ExperimentResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public Table table() {
            return new Table(
                    List.of(
                            Table.Column.of("sick", "sick"),
                            Table.Column.of("strategy", "strategy"),
                            Table.Column.of("runs", "runs"),
                            Table.Column.of("sickGone", "sick one gone"),
                            Table.Column.of("healthyAccused", "healthy accused"),
                            Table.Column.of("healthyLost", "healthy lost"),
                            Table.Column.of("healthyLostInSickView", "lost in the sick one's view only")),
                    rows.stream().map(Row::cells).toList());
        }

        @Override
        public List<BrokenPromise> broken() {
            return rows.stream()
                    .flatMap(row -> row.outcomes.stream())
                    .flatMap(outcome -> outcome.broken().stream())
                    .toList();
        }

        @Override
        public Effort effort() {
            return Effort.sum(rows.stream()
                    .flatMap(row -> row.outcomes.stream())
                    .map(SickNodeRun.Outcome::effort)
                    .toList());
        }
    }

    /**
     * @param illness how long it lasts
     * @param repetitions how often each combination of direction and patient is run for each strategy
     */
    public static Result run(long seed, List<Ward> wards, Duration illness, int repetitions, Bench bench) {
        List<Row> rows = new ArrayList<>();
        for (Ward ward : wards) {
            for (String strategy : STRATEGIES) {
                rows.add(new Row(ward, strategy, run(seed, casesOf(ward, strategy, repetitions), illness, bench)));
            }
        }
        return new Result(rows);
    }

    /** Only these cases. */
    static List<SickNodeRun.Outcome> run(long seed, List<SickNodeCase> cases, Duration illness, Bench bench) {
        return bench.runAll(cases.size(), index -> {
            SickNodeRun.Outcome outcome = SickNodeRun.run(seed, cases.get(index), illness);
            bench.passed((long) (outcome.effort().simulatedSeconds() * 1e9));
            return outcome;
        });
    }

    private static List<SickNodeCase> casesOf(Ward ward, String strategy, int repetitions) {
        List<SickNodeCase> cases = new ArrayList<>();
        int last = ward.nodes > LARGE ? 1 : repetitions;
        for (int number = 1; number <= last; number++) {
            for (Direction direction : Direction.values()) {
                for (Patient patient : Patient.values()) {
                    cases.add(new SickNodeCase(ward.nodes, ward.sick, strategy, direction, patient, number));
                }
            }
        }
        return cases;
    }
}

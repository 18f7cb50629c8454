package dev.muster.simulator.experiment;

import dev.muster.core.ClusterSettings;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.plan.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What becomes of very many partitions when a fifth of all nodes crash at once? No partition may be lost, each must be
 * reached again, and the table must come to rest. Before that: what does such a table cost while nothing happens?
 */
public final class MassCrash {
    public static final List<Case> CASES = List.of(Case.of(20), Case.of(200));

    private static final int PARTITIONS_OF_EACH_NODE = 50;
    private static final int ONE_OF = 5;
    /**
     * On top of stable-after, before which nothing may happen: to notice, to agree, to wait for the margin, to write.
     */
    private static final double PROMISED_SECONDS = 10;

    private static final Duration REST = Duration.ofSeconds(30);
    private static final Duration GIVE_UP = Duration.ofMinutes(5);

    private MassCrash() {}

    public record Case(int nodes, int partitions) {
        /** So many nodes with as many partitions as the experiment gives to each. */
        public static Case of(int nodes) {
            return new Case(nodes, nodes * PARTITIONS_OF_EACH_NODE);
        }
    }

    /**
     * @param stableAfterSeconds how long nothing is decided about those who crashed, at the least
     * @param knownSeconds from the crash until everybody held the crashed ones unreachable
     * @param removedSeconds from the crash until nobody counted the crashed ones as members any more
     * @param reachedSeconds from the crash until everybody had a host that runs for every partition
     * @param settledSeconds from the crash until all had one table in which nothing moved and nothing was missing
     * @param restBytes what each node sent about the table in a second in which nothing happened
     * @param settlingBytes what each node sent about it from the crash on, until it came to rest
     * @param mostSettlingBytes what the busiest one sent of that
     */
    public record Row(
            int nodes,
            int partitions,
            int crashed,
            double stableAfterSeconds,
            double knownSeconds,
            double removedSeconds,
            double reachedSeconds,
            double settledSeconds,
            double restBytes,
            double settlingBytes,
            double mostSettlingBytes,
            int largestMessageBytes,
            int lost,
            List<BrokenPromise> failures,
            Effort effort) {

        private List<BrokenPromise> broken() {
            List<BrokenPromise> all = new ArrayList<>(failures);
            if (lost > 0) {
                all.add(new BrokenPromise("P3", "of " + partitions + " partitions " + lost + " were lost"));
            }
            if (!(reachedSeconds <= allowedSeconds())) {
                all.add(late("P6", "every partition was reached again", reachedSeconds));
            }
            if (!(settledSeconds <= allowedSeconds())) {
                all.add(late("P2", "the table was at rest", settledSeconds));
            }
            return all;
        }

        private double allowedSeconds() {
            return stableAfterSeconds + PROMISED_SECONDS;
        }

        private BrokenPromise late(String promise, String what, double seconds) {
            return new BrokenPromise(
                    promise,
                    String.format(
                            Locale.ROOT,
                            "%d of %d nodes crashed, and %s after %.1f s, %.0f s are promised",
                            crashed,
                            nodes,
                            what,
                            seconds,
                            allowedSeconds()));
        }
    }

    /** All sizes. */
    public record Result(List<Row> rows) implements ExperimentResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public Table table() {
            return new Table(
                    List.of(
                            Table.Column.of("nodes", "nodes"),
                            Table.Column.of("partitions", "partitions"),
                            Table.Column.of("crashed", "crashed"),
                            new Table.Column("stableAfterSeconds", "stable-after s", 1),
                            new Table.Column("knownSeconds", "known s", 1),
                            new Table.Column("removedSeconds", "removed s", 1),
                            new Table.Column("reachedSeconds", "reached s", 1),
                            new Table.Column("settledSeconds", "settled s", 1),
                            Table.Column.of("lost", "lost"),
                            new Table.Column("restBytesPerSecond", "at rest B/s", 0),
                            new Table.Column("settlingBytes", "settling B", 0),
                            new Table.Column("mostSettlingBytes", "most by one B", 0),
                            Table.Column.of("largestMessageBytes", "largest message B")),
                    rows.stream()
                            .map(row -> List.<Object>of(
                                    row.nodes,
                                    row.partitions,
                                    row.crashed,
                                    row.stableAfterSeconds,
                                    row.knownSeconds,
                                    row.removedSeconds,
                                    row.reachedSeconds,
                                    row.settledSeconds,
                                    row.lost,
                                    row.restBytes,
                                    row.settlingBytes,
                                    row.mostSettlingBytes,
                                    row.largestMessageBytes))
                            .toList());
        }

        @Override
        public List<BrokenPromise> broken() {
            return rows.stream().flatMap(row -> row.broken().stream()).toList();
        }

        @Override
        public Effort effort() {
            return Effort.sum(rows.stream().map(Row::effort).toList());
        }
    }

    public static Result run(long seed, List<Case> cases, Bench bench) {
        List<Row> rows = new ArrayList<>();
        for (Case chosen : cases) {
            if (chosen.nodes < ONE_OF) {
                throw new IllegalArgumentException(
                        "mass-crash needs at least " + ONE_OF + " nodes, was " + chosen.nodes);
            }
            rows.add(new Crash(Dice.of(seed, Purpose.EXPERIMENT, chosen.nodes), chosen, bench).run());
        }
        return new Result(rows);
    }

    /** One cluster and its crash. */
    private static final class Crash {
        private final int nodes;
        private final int partitionCount;
        private final Dice dice;
        private final Bench bench;
        private final ClusterSettings settings;
        private final SimulatedCluster cluster;
        private final HostedPartitions partitions;
        private long crashedNanos;
        private long toldNanos;
        private long knownNanos = Long.MAX_VALUE;
        private long removedNanos = Long.MAX_VALUE;
        private long reachedNanos = Long.MAX_VALUE;
        private int lost;

        private Crash(Dice dice, Case chosen, Bench bench) {
            this.nodes = chosen.nodes;
            this.partitionCount = chosen.partitions;
            this.dice = dice;
            this.bench = bench;
            this.settings = ClusterSettings.defaults();
            this.cluster = FormedCluster.of(dice.nextLong(), nodes, settings);
            this.partitions = new HostedPartitions(cluster, HostedPartitions.mixed(partitionCount));
        }

        private Row run() {
            List<BrokenPromise> failures = new ArrayList<>();
            partitions.want(dice.below(nodes));
            if (partitions.awaitSettled(GIVE_UP, this::tell) == Long.MAX_VALUE) {
                failures.add(new BrokenPromise("P2", partitionCount + " partitions were not there after " + GIVE_UP));
            }
            TableTraffic rest = TableTraffic.of(cluster, nodes);
            cluster.runFor(REST);
            TableTraffic settling = TableTraffic.of(cluster, nodes);
            int crashed = crashSome();
            long settledNanos = partitions.awaitSettled(GIVE_UP, this::look);
            tell();
            failures.addAll(BrokenPromise.in(cluster));
            int left = nodes - crashed;
            return new Row(
                    nodes,
                    partitionCount,
                    crashed,
                    settings.downing().stableAfterNanos(nodes) / 1e9,
                    secondsUntil(knownNanos),
                    secondsUntil(removedNanos),
                    secondsUntil(reachedNanos),
                    secondsUntil(settledNanos),
                    rest.all() / (double) nodes / REST.toSeconds(),
                    settling.all() / (double) left,
                    settling.mostByOne(),
                    settling.largestMessage(),
                    lost,
                    failures,
                    Effort.of(cluster, nodes));
        }

        private int crashSome() {
            List<Integer> slots = new ArrayList<>();
            for (int slot = 0; slot < nodes; slot++) {
                slots.add(slot);
            }
            int crashed = nodes / ONE_OF;
            crashedNanos = cluster.nowNanos();
            for (int i = 0; i < crashed; i++) {
                cluster.crash(slots.remove(dice.below(slots.size())));
            }
            return crashed;
        }

        private void look() {
            tell();
            lost = Math.max(lost, partitions.lost());
            if (knownNanos == Long.MAX_VALUE && partitions.areAllEndedUnreachable()) {
                knownNanos = cluster.nowNanos();
            }
            if (removedNanos == Long.MAX_VALUE && partitions.areAllEndedRemoved()) {
                removedNanos = cluster.nowNanos();
            }
            if (reachedNanos == Long.MAX_VALUE && removedNanos != Long.MAX_VALUE && partitions.unrouted() == 0) {
                reachedNanos = cluster.nowNanos();
            }
        }

        private void tell() {
            bench.passed(cluster.nowNanos() - toldNanos);
            toldNanos = cluster.nowNanos();
        }

        private double secondsUntil(long nanos) {
            return nanos == Long.MAX_VALUE ? Double.NaN : (nanos - crashedNanos) / 1e9;
        }
    }
}

package dev.muster.simulator.experiment;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.state.NodeId;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.plan.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How long after the crash of a node does every other one hold it unreachable? Default settings, a fast network, any
 * node, at any moment of its rhythm; one crash per cluster, because the second would find fewer nodes.
 */
public final class CrashDetection {
    public static final List<Integer> SIZES = List.of(3, 5, 10, 50, 100);
    /** How many crashes for each size make a percentile of 99 mean something. */
    public static final int FULL_CRASHES = 300;

    private static final double PROMISED_SECONDS = 6;
    private static final double PROMISED_SHARE = 0.99;
    private static final long GIVE_UP_NANOS = 30_000_000_000L;
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);

    private CrashDetection() {}

    /** @param seconds until the last one knew, for each crash, not a number where somebody never did */
    public record Row(int nodes, Percentiles seconds, List<BrokenPromise> failures, Effort effort) {
        public double p50() {
            return seconds.at(0.5);
        }

        public double p99() {
            return seconds.at(PROMISED_SHARE);
        }

        public double max() {
            return seconds.max();
        }

        private List<BrokenPromise> broken() {
            List<BrokenPromise> all = new ArrayList<>(failures);
            if (!(p99() < PROMISED_SECONDS)) {
                all.add(new BrokenPromise(
                        "F1",
                        String.format(
                                Locale.ROOT,
                                "%d nodes: p99 %.2f s until everybody knew of a crash, %.0f s are promised",
                                nodes,
                                p99(),
                                PROMISED_SECONDS)));
            }
            return all;
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
                            Table.Column.of("crashes", "crashes"),
                            new Table.Column("p50Seconds", "p50 s", 2),
                            new Table.Column("p99Seconds", "p99 s", 2),
                            new Table.Column("maxSeconds", "max s", 2)),
                    rows.stream()
                            .map(row -> List.<Object>of(
                                    row.nodes, row.seconds.sorted().size(), row.p50(), row.p99(), row.max()))
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

    /** @param crashes how many for each size */
    public static Result run(long seed, List<Integer> sizes, int crashes, Bench bench) {
        List<Row> rows = new ArrayList<>();
        for (int nodes : sizes) {
            if (nodes < 2) {
                throw new IllegalArgumentException("crash-detection needs at least 2 nodes, was " + nodes);
            }
            List<Crash> done = bench.runAll(
                    crashes, index -> new Crash(Dice.of(seed, Purpose.EXPERIMENT, nodes, index), nodes).run(bench));
            rows.add(new Row(
                    nodes,
                    Percentiles.of(done.stream().map(Crash::seconds).toList()),
                    done.stream()
                            .flatMap(crash -> BrokenPromise.in(crash.cluster).stream())
                            .toList(),
                    Effort.sum(done.stream()
                            .map(crash -> Effort.of(crash.cluster, nodes))
                            .toList())));
        }
        return new Result(rows);
    }

    /** One cluster and its crash. */
    private static final class Crash {
        private final SimulatedCluster cluster;
        private final int victim;
        private final NodeId victimId;
        private final long crashedNanos;
        private final boolean[] knows;
        private int unaware;
        private long lastNanos;

        private Crash(Dice dice, int nodes) {
            cluster = FormedCluster.of(dice.nextLong(), nodes, ClusterSettings.defaults());
            cluster.runFor(Duration.ofNanos(dice.between(0, 5_000_000_000L)));
            victim = dice.below(nodes);
            victimId = cluster.node(victim).orElseThrow().id();
            knows = new boolean[nodes];
            unaware = nodes - 1;
            crashedNanos = cluster.nowNanos();
        }

        private Crash run(Bench bench) {
            cluster.subscribe((node, event) -> {
                boolean isTheWord = event instanceof ClusterEvent.UnreachableMember unreachable
                        && unreachable.member().id().equals(victimId);
                if (isTheWord && !knows[node.slot()]) {
                    knows[node.slot()] = true;
                    unaware--;
                    lastNanos = cluster.nowNanos();
                }
            });
            cluster.crash(victim);
            while (unaware > 0 && cluster.nowNanos() < crashedNanos + GIVE_UP_NANOS) {
                cluster.runFor(LOOK_EVERY);
            }
            bench.passed(cluster.nowNanos());
            return this;
        }

        private double seconds() {
            return unaware > 0 ? Double.NaN : (lastNanos - crashedNanos) / 1e9;
        }
    }
}

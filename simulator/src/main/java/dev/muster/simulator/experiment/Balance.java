package dev.muster.simulator.experiment;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.Command;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionTable;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.Step;
import dev.muster.simulator.plan.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How even does a leader keep a thousand partitions on nodes that come and go, and what does it move for that? The
 * cluster doubles, a third of it leaves, as many come again, and a third of it crashes. Nobody gives a command: whoever
 * leads looks by itself.
 */
public final class Balance {
    public static final int NODES = 3;
    public static final int FULL_PARTITIONS = 1_000;

    private static final Duration GIVE_UP = Duration.ofMinutes(5);
    /** A few looks of the leader at what might be worth moving. */
    private static final Duration REST = Duration.ofSeconds(60);
    /** How far from even any node may be, and how much more may be moved than the fewest. */
    private static final double MOST_UNEVEN = 0.1;

    private static final double MOST_MOVES = 1.2;

    private Balance() {}

    /**
     * What one change of the cluster led to.
     *
     * @param fewest on the node that has the fewest instances, when all is at rest again
     * @param moves how often an instance was put on a node on which it was not before
     * @param fewestMoves how many of these there must be at least, to make things as even as numbers can be
     * @param seconds from the change until all was at rest
     * @param movesAtRest what was moved during a minute after that
     */
    public record Row(
            String change,
            int nodes,
            int partitions,
            int fewest,
            int most,
            int moves,
            int fewestMoves,
            double seconds,
            int movesAtRest) {

        /** How far the node that is furthest from even is from it, as a share. */
        double uneven() {
            double even = (double) partitions / nodes;
            return Math.max(most / even - 1, 1 - fewest / even);
        }

        private List<BrokenPromise> broken() {
            List<BrokenPromise> all = new ArrayList<>();
            if (Double.isNaN(seconds)) {
                all.add(broken("was not at rest after " + GIVE_UP.toSeconds() + " s"));
            }
            if (uneven() > MOST_UNEVEN) {
                all.add(broken(String.format(
                        Locale.ROOT, "left %,d to %,d instances on a node, within 10 %% are promised", fewest, most)));
            }
            if (moves > MOST_MOVES * fewestMoves) {
                all.add(broken(String.format(
                        Locale.ROOT, "took %,d moves, at most 1.2 times %,d are promised", moves, fewestMoves)));
            }
            if (movesAtRest > 0) {
                all.add(broken(String.format(Locale.ROOT, "went on with %,d moves when all was even", movesAtRest)));
            }
            return all;
        }

        private BrokenPromise broken(String how) {
            return new BrokenPromise("P8", change + " " + how);
        }
    }

    /** All changes, one after the other. */
    public record Result(List<Row> rows, List<BrokenPromise> failures, Effort effort) implements ExperimentResult {
        public Result {
            rows = List.copyOf(rows);
            failures = List.copyOf(failures);
        }

        @Override
        public Table table() {
            return new Table(
                    List.of(
                            Table.Column.of("change", "change"),
                            Table.Column.of("nodes", "nodes"),
                            Table.Column.of("partitions", "partitions"),
                            Table.Column.of("fewest", "fewest"),
                            Table.Column.of("most", "most"),
                            new Table.Column("unevenPercent", "uneven %", 1),
                            Table.Column.of("moves", "moves"),
                            Table.Column.of("fewestMoves", "ideal"),
                            new Table.Column("seconds", "took s", 1),
                            Table.Column.of("movesAtRest", "moves at rest")),
                    rows.stream()
                            .map(row -> List.<Object>of(
                                    row.change,
                                    row.nodes,
                                    row.partitions,
                                    row.fewest,
                                    row.most,
                                    100 * row.uneven(),
                                    row.moves,
                                    row.fewestMoves,
                                    row.seconds,
                                    row.movesAtRest))
                            .toList());
        }

        @Override
        public List<BrokenPromise> broken() {
            List<BrokenPromise> all = new ArrayList<>(failures);
            rows.forEach(row -> all.addAll(row.broken()));
            return all;
        }
    }

    /** @param nodes how many the cluster begins with */
    public static Result run(long seed, int nodes, int partitions, Bench bench) {
        if (nodes < 2) {
            throw new IllegalArgumentException("balance needs at least 2 nodes, was " + nodes);
        }
        return new Changes(Dice.of(seed, Purpose.EXPERIMENT, nodes), nodes, partitions, bench).run();
    }

    /**
     * How many instances must come to nodes until all have the same number, or one more.
     *
     * @param counts how many there are on each node now
     * @param total how many there are to be
     */
    static int fewestMoves(List<Integer> counts, int total) {
        List<Integer> highestFirst =
                counts.stream().sorted(Comparator.reverseOrder()).toList();
        int nodes = counts.size();
        int moves = 0;
        for (int i = 0; i < nodes; i++) {
            int target = total / nodes + (i < total % nodes ? 1 : 0);
            moves += Math.max(0, target - highestFirst.get(i));
        }
        return moves;
    }

    /** One cluster and all that happens to it. */
    private static final class Changes implements Checker {
        private final long seed;
        private final Dice dice;
        private final int nodes;
        private final int partitionCount;
        private final Bench bench;
        private final SimulatedCluster cluster;
        private final HostedPartitions partitions;
        private final List<Integer> slots = new ArrayList<>();
        private final List<Row> rows = new ArrayList<>();
        /** The latest row of each partition that any node has. */
        private PartitionTable latest = PartitionTable.EMPTY;

        private final Map<Integer, PartitionTable> lookedAt = new HashMap<>();
        private int moves;
        private long toldNanos;

        private Changes(Dice dice, int nodes, int partitionCount, Bench bench) {
            this.seed = dice.nextLong();
            this.dice = dice;
            this.nodes = nodes;
            this.partitionCount = partitionCount;
            this.bench = bench;
            this.cluster = FormedCluster.withoutNodes(seed, List.of(0, 1), ClusterSettings.defaults(), List.of(this));
            this.partitions = new HostedPartitions(cluster, HostedPartitions.single(partitionCount));
        }

        private Result run() {
            cluster.hostPartitions();
            fill(nodes);
            change("asked for", () -> partitions.want(0));
            change(nodes + " -> " + 2 * nodes + ", joined", () -> start(nodes));
            int third = Math.max(1, 2 * nodes / 3);
            change(2 * nodes + " -> " + (2 * nodes - third) + ", left", () -> leave(third));
            change(2 * nodes - third + " -> " + 2 * nodes + ", joined", () -> start(third));
            change(2 * nodes + " -> " + (2 * nodes - third) + ", crashed", () -> crash(third));
            return new Result(rows, BrokenPromise.in(cluster), Effort.of(cluster, 2 * nodes));
        }

        private void fill(int count) {
            for (int slot = 0; slot < count; slot++) {
                slots.add(slot);
            }
            FormedCluster.fill(cluster, seed, count);
        }

        private void start(int count) {
            for (int i = 0; i < count; i++) {
                int slot = slots.get(slots.size() - 1) + 1;
                slots.add(slot);
                cluster.start(slot);
            }
        }

        private void leave(int count) {
            for (int i = 0; i < count; i++) {
                int slot = slots.remove(dice.below(slots.size()));
                cluster.command(slot, new Command.Leave(idOf(slot).address()));
            }
        }

        private void crash(int count) {
            for (int i = 0; i < count; i++) {
                cluster.crash(slots.remove(dice.below(slots.size())));
            }
        }

        private NodeId idOf(int slot) {
            return cluster.node(slot).orElseThrow().id();
        }

        private void change(String name, Runnable what) {
            int movesBefore = moves;
            long since = cluster.nowNanos();
            what.run();
            int fewestMoves = fewestMoves(counts(), partitionCount);
            long settled = partitions.awaitSettled(GIVE_UP, this::tell);
            int movesThen = moves;
            cluster.runFor(REST);
            tell();
            IntSummaryStatistics onNodes =
                    counts().stream().mapToInt(Integer::intValue).summaryStatistics();
            rows.add(new Row(
                    name,
                    slots.size(),
                    partitionCount,
                    onNodes.getMin(),
                    onNodes.getMax(),
                    movesThen - movesBefore,
                    fewestMoves,
                    settled == Long.MAX_VALUE ? Double.NaN : (settled - since) / 1e9,
                    moves - movesThen));
        }

        /** How many instances each node has that is to stay. */
        private List<Integer> counts() {
            TreeMap<NodeId, Integer> counts = new TreeMap<>();
            slots.forEach(slot -> counts.put(idOf(slot), 0));
            for (PartitionEntry row : latest.entries().values()) {
                row.instances().forEach(host -> counts.computeIfPresent(host, (id, count) -> count + 1));
            }
            return List.copyOf(counts.values());
        }

        private void tell() {
            bench.passed(cluster.nowNanos() - toldNanos);
            toldNanos = cluster.nowNanos();
        }

        @Override
        public void onStep(Step step) {
            PartitionTable held = step.node().partitions();
            if (lookedAt.put(step.node().number(), held) == held) {
                return;
            }
            PartitionTable before = latest;
            latest = before.merge(held);
            for (PartitionEntry row : latest.newSince(before)) {
                PartitionEntry old = before.row(row.path());
                moves += (int) row.instances().stream()
                        .filter(host -> old == null || !old.isOn(host))
                        .count();
            }
        }
    }
}

package dev.muster.simulator.experiment;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.partition.PartitionSettings;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.SimulatedNode;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.WorkStep;
import dev.muster.simulator.plan.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How long does a member that leaves take to hand over very many partitions? It hosts all there are, because it was
 * alone when they were asked for; then the others came, and nothing was rebalanced. It may go only when all are handed
 * over, and no single handoff may take longer than a move may.
 */
public final class Drain {
    public static final List<Integer> SIZES = List.of(10, 200);
    public static final int FULL_PARTITIONS = 1_000;

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration GIVE_UP = Duration.ofMinutes(5);
    private static final Duration ALONE = Duration.ofSeconds(5);

    private Drain() {}

    /**
     * @param leaver which part the leaving member had in the cluster
     * @param drainedSeconds from the command until whoever leads let it go
     * @param goneSeconds from the command until its process had ended and nobody counted it as a member
     * @param handoffs seconds from when the leaver took up a move until it had nothing more to forward
     * @param left how many partitions it still had when its time was up
     */
    public record Row(
            int nodes,
            int partitions,
            String leaver,
            double drainedSeconds,
            double goneSeconds,
            Percentiles handoffs,
            int left,
            double allowedHandoffSeconds,
            List<BrokenPromise> failures,
            Effort effort) {

        private List<BrokenPromise> broken() {
            List<BrokenPromise> all = new ArrayList<>(failures);
            if (left > 0 || Double.isNaN(drainedSeconds) || handoffs.sorted().size() < partitions) {
                all.add(new BrokenPromise(
                        "P9",
                        String.format(
                                Locale.ROOT,
                                "%d nodes: of %,d partitions %,d were handed over, and %,d were left after %.1f s",
                                nodes,
                                partitions,
                                handoffs.sorted().size(),
                                left,
                                drainedSeconds)));
            }
            if (!handoffs.sorted().isEmpty() && !(handoffs.max() <= allowedHandoffSeconds)) {
                all.add(new BrokenPromise(
                        "H12",
                        String.format(
                                Locale.ROOT,
                                "%d nodes: a handoff took %.1f s, %.0f s are allowed",
                                nodes,
                                handoffs.max(),
                                allowedHandoffSeconds)));
            }
            return all;
        }

        private double handoffAt(double share) {
            return handoffs.sorted().isEmpty() ? Double.NaN : handoffs.at(share);
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
                            Table.Column.of("leaver", "leaver"),
                            new Table.Column("drainedSeconds", "drained s", 1),
                            new Table.Column("goneSeconds", "gone s", 1),
                            Table.Column.of("left", "left"),
                            new Table.Column("handoffP50Seconds", "handoff p50 s", 2),
                            new Table.Column("handoffP99Seconds", "p99 s", 2),
                            new Table.Column("handoffMaxSeconds", "max s", 2)),
                    rows.stream()
                            .map(row -> List.<Object>of(
                                    row.nodes,
                                    row.partitions,
                                    row.leaver,
                                    row.drainedSeconds,
                                    row.goneSeconds,
                                    row.left,
                                    row.handoffAt(0.5),
                                    row.handoffAt(0.99),
                                    row.handoffAt(1)))
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

    /** Each size twice: the member that leaves is an ordinary one, and the leader. */
    public static Result run(long seed, List<Integer> sizes, int partitions, Bench bench) {
        List<Row> rows = new ArrayList<>();
        for (int nodes : sizes) {
            if (nodes < 2) {
                throw new IllegalArgumentException("drain needs at least 2 nodes, was " + nodes);
            }
            for (int slot : List.of(1, 0)) { // members are in the order of their slots, and the first one leads
                long drawn = Dice.of(seed, Purpose.EXPERIMENT, nodes, slot).nextLong();
                rows.add(new Leave(drawn, nodes, partitions, slot).run(bench));
            }
        }
        return new Result(rows);
    }

    /** One cluster and the member that leaves it. */
    private static final class Leave implements Checker {
        private final long seed;
        private final int nodes;
        private final int partitionCount;
        private final int slot;
        private final ClusterSettings settings;
        private final SimulatedCluster cluster;
        private final TreeMap<PartitionPath, Long> begunNanos = new TreeMap<>();
        private final List<Double> handoffs = new ArrayList<>();
        private NodeId leaver;
        private long commandedNanos;
        private long drainedNanos = Long.MAX_VALUE;
        private long goneNanos = Long.MAX_VALUE;
        private boolean hasExited;
        private int left;
        private final List<BrokenPromise> failures = new ArrayList<>();

        private Leave(long seed, int nodes, int partitionCount, int slot) {
            this.seed = seed;
            this.nodes = nodes;
            this.partitionCount = partitionCount;
            this.slot = slot;
            PartitionSettings partitions = PartitionSettings.defaults();
            this.settings = ClusterSettings.defaults()
                    .withPartitions(
                            partitions.withRebalance(partitions.rebalance().withInterval(Optional.empty())));
            this.cluster = FormedCluster.withoutNodes(seed, List.of(slot), settings, List.of(this));
        }

        private Row run(Bench bench) {
            cluster.hostPartitions();
            cluster.subscribe(this::heard);
            cluster.start(slot);
            leaver = cluster.node(slot).orElseThrow().id();
            cluster.runFor(ALONE);
            new HostedPartitions(cluster, HostedPartitions.single(partitionCount)).want(slot);
            cluster.runFor(ALONE);
            FormedCluster.fill(cluster, seed, nodes);
            bench.passed(cluster.nowNanos());
            requireAllOnLeaver();
            commandedNanos = cluster.nowNanos();
            cluster.command(slot, new Command.Leave(leaver.address()));
            while (!isGone() && cluster.nowNanos() < commandedNanos + GIVE_UP.toNanos()) {
                cluster.runFor(LOOK_EVERY);
                bench.passed(LOOK_EVERY.toNanos());
            }
            failures.addAll(BrokenPromise.in(cluster));
            return new Row(
                    nodes,
                    partitionCount,
                    slot == 0 ? "leader" : "member",
                    secondsUntil(drainedNanos),
                    secondsUntil(goneNanos),
                    Percentiles.of(handoffs),
                    left,
                    settings.handoff().migrationTimeout().toNanos() / 1e9,
                    failures,
                    Effort.of(cluster, nodes));
        }

        private void requireAllOnLeaver() {
            for (SimulatedNode node : cluster.runningNodes()) {
                long there = node.partitions().entries().values().stream()
                        .filter(row -> row.isOn(leaver))
                        .count();
                if (there != partitionCount) {
                    failures.add(new BrokenPromise(
                            "P4", node + " knows of " + there + " of the " + partitionCount + " partitions"));
                    return;
                }
            }
        }

        private void heard(SimulatedNode node, ClusterEvent event) {
            boolean isFirst = drainedNanos == Long.MAX_VALUE;
            if (isFirst
                    && event instanceof ClusterEvent.MemberDrained drained
                    && drained.member().id().equals(leaver)) {
                drainedNanos = cluster.nowNanos();
                left = drained.left().size();
            } else if (!hasExited
                    && event instanceof ClusterEvent.MemberExited exited
                    && exited.member().id().equals(leaver)) {
                hasExited = true;
                judge(node);
            }
        }

        /** P9: who writes that it is exiting, which is the first to say so, has no row that names it. */
        private void judge(SimulatedNode leader) {
            leader.partitions().entries().values().stream()
                    .filter(row -> row.isOn(leaver))
                    .findFirst()
                    .ifPresent(row ->
                            failures.add(new BrokenPromise("P9", leader + " let " + leaver + " go with " + row)));
        }

        @Override
        public void onWork(WorkStep step) {
            if (!(step.what() instanceof WorkStep.MoveWentOn went)
                    || !step.node().id().equals(leaver)) {
                return;
            }
            boolean isFrom = went.after()
                    .or(went::before)
                    .map(MoveView::from)
                    .filter(leaver::equals)
                    .isPresent();
            if (isFrom && went.after().isPresent()) {
                begunNanos.putIfAbsent(step.path(), cluster.nowNanos());
            } else if (isFrom && begunNanos.containsKey(step.path())) {
                handoffs.add((cluster.nowNanos() - begunNanos.remove(step.path())) / 1e9);
            }
        }

        private boolean isGone() {
            boolean isGone =
                    cluster.node(leaver).filter(SimulatedNode::isRunning).isEmpty()
                            && cluster.runningNodes().stream()
                                    .noneMatch(node -> node.state().members().has(leaver));
            if (isGone) {
                goneNanos = cluster.nowNanos();
            }
            return isGone || !cluster.violations().isEmpty();
        }

        private double secondsUntil(long nanos) {
            return nanos == Long.MAX_VALUE ? Double.NaN : (nanos - commandedNanos) / 1e9;
        }
    }
}

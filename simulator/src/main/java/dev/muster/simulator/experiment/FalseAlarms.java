package dev.muster.simulator.experiment;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.SimulatedNode;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.plan.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Does anybody hold a healthy node unreachable? Invariant F2: under each {@link Condition} alone, with default
 * settings, for so many node-hours.
 *
 * <p>Many clusters for an hour or two each instead of one for weeks: they run on several threads, and each forms anew.
 */
public final class FalseAlarms {
    /** What the promise is about. */
    public static final double FULL_NODE_HOURS = 1_000;

    private static final double NODE_HOURS_OF_A_WORLD = 10;
    private static final long NANOS_PER_HOUR = 3_600_000_000_000L;
    private static final List<Integer> SIZES = List.of(5, 10);

    private FalseAlarms() {}

    /**
     * What was counted under one condition.
     *
     * @param unreachableEvents published by any node about any other
     * @param accusations those of them that were published by the very node that accused; the others heard of it
     * @param lostMembers processes that were removed or stopped themselves
     */
    public record Row(
            Condition condition,
            double nodeHours,
            long unreachableEvents,
            long accusations,
            long lostMembers,
            List<BrokenPromise> broken,
            Effort effort) {

        private static Row sum(Condition condition, List<Row> parts) {
            return new Row(
                    condition,
                    parts.stream().mapToDouble(Row::nodeHours).sum(),
                    parts.stream().mapToLong(Row::unreachableEvents).sum(),
                    parts.stream().mapToLong(Row::accusations).sum(),
                    parts.stream().mapToLong(Row::lostMembers).sum(),
                    parts.stream().flatMap(part -> part.broken.stream()).toList(),
                    Effort.sum(parts.stream().map(Row::effort).toList()));
        }

        /**
         * How many accusations the promise allows in this time. One accusation is one alarm, however many nodes hear of
         * it; where none is allowed, the two ways to count are the same.
         */
        public long allowed() {
            return (long) Math.ceil(condition.allowedPerNodeHour() * nodeHours);
        }

        private List<BrokenPromise> allBroken() {
            List<BrokenPromise> all = new ArrayList<>(broken);
            if (accusations > allowed() || allowed() == 0 && unreachableEvents > 0) {
                all.add(new BrokenPromise(
                        "F2",
                        String.format(
                                Locale.ROOT,
                                "%s: %,d accusations and %,d unreachable events in %,.0f node-hours; "
                                        + "%,d accusations are allowed",
                                condition.title(),
                                accusations,
                                unreachableEvents,
                                nodeHours,
                                allowed())));
            }
            if (lostMembers > 0) {
                all.add(new BrokenPromise("F2", condition.title() + ": " + lostMembers + " healthy members were lost"));
            }
            return all;
        }
    }

    /** All conditions. */
    public record Result(List<Row> rows) implements ExperimentResult {
        public Result {
            rows = List.copyOf(rows);
        }

        @Override
        public Table table() {
            return new Table(
                    List.of(
                            Table.Column.of("condition", "condition"),
                            Table.Column.of("nodeHours", "node-hours"),
                            Table.Column.of("unreachableEvents", "unreachable events"),
                            Table.Column.of("accusations", "accusations"),
                            Table.Column.of("allowed", "allowed"),
                            Table.Column.of("lostMembers", "members lost")),
                    rows.stream()
                            .map(row -> List.<Object>of(
                                    row.condition.title(),
                                    row.nodeHours,
                                    row.unreachableEvents,
                                    row.accusations,
                                    row.allowed(),
                                    row.lostMembers))
                            .toList());
        }

        @Override
        public List<BrokenPromise> broken() {
            return rows.stream().flatMap(row -> row.allBroken().stream()).toList();
        }

        @Override
        public Effort effort() {
            return Effort.sum(rows.stream().map(Row::effort).toList());
        }
    }

    /**
     * @param nodes the size of the clusters; empty for five and ten by turns
     * @param nodeHours how much of each condition; half of it where some alarms are allowed
     */
    public static Result run(long seed, OptionalInt nodes, double nodeHours, Bench bench) {
        List<Row> rows = new ArrayList<>();
        for (Condition condition : Condition.values()) {
            double share = condition.allowedPerNodeHour() > 0 ? 0.5 : 1;
            rows.add(run(condition, seed, nodes, nodeHours * share, bench));
        }
        return new Result(rows);
    }

    /** One condition alone. */
    public static Row run(Condition condition, long seed, OptionalInt nodes, double nodeHours, Bench bench) {
        int worlds = (int) Math.max(SIZES.size(), Math.ceil(nodeHours / NODE_HOURS_OF_A_WORLD));
        return Row.sum(condition, bench.runAll(worlds, world -> {
            Dice dice = Dice.of(seed, Purpose.EXPERIMENT, condition.ordinal(), world);
            return runWorld(condition, dice, nodes.orElse(SIZES.get(world % SIZES.size())), nodeHours / worlds, bench);
        }));
    }

    private static Row runWorld(Condition condition, Dice dice, int nodes, double nodeHours, Bench bench) {
        SimulatedCluster cluster = FormedCluster.of(dice.nextLong(), nodes, ClusterSettings.defaults());
        Count count = new Count();
        cluster.subscribe(count::heard);
        condition.applyTo(cluster);
        long lengthNanos = (long) (nodeHours * NANOS_PER_HOUR / nodes);
        long end = cluster.nowNanos() + lengthNanos;
        if (condition.longestPause().isZero()) {
            cluster.runFor(Duration.ofNanos(lengthNanos));
        } else {
            new RandomPauses(cluster, nodes, condition.longestPause(), dice).runUntil(end);
        }
        bench.passed(cluster.nowNanos());
        return new Row(
                condition,
                nodeHours,
                count.events,
                count.accusations,
                nodes - cluster.runningNodes().size(),
                BrokenPromise.in(cluster),
                Effort.of(cluster, nodes));
    }

    private static final class Count {
        private long events;
        private long accusations;

        private void heard(SimulatedNode node, ClusterEvent event) {
            if (event instanceof ClusterEvent.UnreachableMember unreachable) {
                events++;
                boolean isOwn = node.state()
                                .reachability()
                                .statusOf(node.id(), unreachable.member().id())
                        == ReachabilityStatus.UNREACHABLE;
                accusations += isOwn ? 1 : 0;
            }
        }
    }
}

package dev.muster.simulator.experiment;

import dev.muster.simulator.MassJoin;
import dev.muster.simulator.check.ClusterMath;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How does joining grow with the number of nodes? {@link MassJoin} for ever more of them, one after the other, because
 * the large ones need the machine for themselves. Rounds must grow with the logarithm and not with the number.
 */
public final class Growth {
    public static final List<Integer> SIZES = List.of(10, 30, 100, 300, 1_000, 3_000, 5_000);

    private static final int THOUSAND = 1_000;
    private static final double PROMISED_FOR_A_THOUSAND_SECONDS = 30;

    private Growth() {}

    public record Result(List<MassJoin.Result> joins) implements ExperimentResult {
        public Result {
            joins = List.copyOf(joins);
        }

        @Override
        public Table table() {
            return new Table(
                    List.of(
                            Table.Column.of("nodes", "nodes"),
                            new Table.Column("allUpAfterSeconds", "all up after s", 1),
                            new Table.Column("gossipRounds", "rounds", 1),
                            new Table.Column("roundsPerLog2", "rounds / log2 N", 2),
                            Table.Column.of("messagesPerNode", "messages per node"),
                            new Table.Column("realSeconds", "real s", 1)),
                    joins.stream()
                            .map(join -> List.<Object>of(
                                    join.nodes(),
                                    join.allUpAfterSeconds(),
                                    join.gossipRounds(),
                                    join.gossipRounds() / log2(join.nodes()),
                                    join.messagesPerNode(),
                                    join.realSeconds()))
                            .toList());
        }

        @Override
        public List<BrokenPromise> broken() {
            List<BrokenPromise> all = new ArrayList<>();
            for (MassJoin.Result join : joins) {
                join.violations().forEach(found -> all.add(new BrokenPromise(found.invariant(), found.toString())));
                if (!(join.gossipRounds() < allowedRounds(join.nodes()))) {
                    all.add(new BrokenPromise(
                            "S7",
                            String.format(
                                    Locale.ROOT,
                                    "%,d nodes were all up after %.1f rounds, %.0f are allowed",
                                    join.nodes(),
                                    join.gossipRounds(),
                                    allowedRounds(join.nodes()))));
                }
            }
            return all;
        }

        @Override
        public Effort effort() {
            return Effort.sum(joins.stream()
                    .map(join -> new Effort(
                            join.simulatedSeconds(), join.simulatedSeconds() * join.nodes() / 3600, join.traceHash()))
                    .toList());
        }
    }

    /** A logarithm in disguise, and for a thousand nodes what was promised for them. */
    private static double allowedRounds(int nodes) {
        double formula = 10 + 2.0 * ClusterMath.convergenceRounds(nodes);
        return nodes == THOUSAND ? Math.min(formula, PROMISED_FOR_A_THOUSAND_SECONDS) : formula;
    }

    private static double log2(int number) {
        return Math.log(number) / Math.log(2);
    }

    public static Result run(long seed, List<Integer> sizes, Bench bench) {
        List<MassJoin.Result> joins = new ArrayList<>();
        for (int nodes : sizes) {
            MassJoin.Result join = MassJoin.run(seed, nodes);
            bench.passed((long) (join.simulatedSeconds() * 1e9));
            joins.add(join);
        }
        return new Result(joins);
    }
}

package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.cluster;
import static dev.muster.core.partition.Layouts.clusterOf;
import static dev.muster.core.partition.Layouts.needs;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What must hold of every plan: it makes things even, with few moves, and there is an end to it. */
class RebalancingTest {
    private static final Rebalancer REBALANCER = new Rebalancer(RebalanceSettings.defaults());

    @Test
    void aThousandPartitionsFollowTheNodesThatComeAndGo() {
        Layout onThree = placed(Layout.of(needs(1000, 1), Placement.EMPTY, clusterOf(3)));
        assertThat(spread(onThree)).isLessThan(0.1);

        Layout onSix = onThree.withNodes(clusterOf(6));
        RebalancePlan growing = REBALANCER.plan(onSix);
        onSix = onSix.withPlacement(onSix.placement().after(growing.moves()));
        assertThat(growing.moves().size()).isLessThanOrEqualTo((int) (1.2 * 500));
        assertThat(spread(onSix)).isLessThan(0.1);
        assertThat(REBALANCER.plan(onSix).moves()).isEmpty();

        Layout onFour = placed(onSix.withNodes(cluster(1, 3, 4, 6)));
        RebalancePlan shrinking = REBALANCER.plan(onFour);
        int moved = onSix.placement().changesTo(onFour.placement()).size()
                + shrinking.moves().size();
        assertThat(moved).isLessThanOrEqualTo((int) (1.2 * 334));
        onFour = onFour.withPlacement(onFour.placement().after(shrinking.moves()));
        assertThat(spread(onFour)).isLessThan(0.1);
        assertThat(REBALANCER.plan(onFour).moves()).isEmpty();
    }

    @Test
    void byNumberNoFewerMovesWouldDo() {
        SplittableRandom random = new SplittableRandom(4719);
        for (int round = 0; round < 200; round++) {
            List<PartitionNeed> needs = needs(random.nextInt(1, 300), random.nextInt(1, 3));
            Layout before = placed(Layout.of(needs, Placement.EMPTY, clusterOf(random.nextInt(1, 12))));
            Layout layout = placed(before.withNodes(clusterOf(random.nextInt(1, 12))));

            RebalancePlan plan = REBALANCER.plan(layout);

            int[] counts = plan.loads().stream()
                    .mapToInt(load -> load.before().instances())
                    .toArray();
            assertThat(plan.moves().size()).isLessThanOrEqualTo(fewestMoves(counts));
        }
    }

    /** How many instances must move at least until all nodes have the same number, or one more. */
    private static int fewestMoves(int[] counts) {
        int[] highestFirst =
                Arrays.stream(counts).map(c -> -c).sorted().map(c -> -c).toArray();
        int total = Arrays.stream(counts).sum();
        int moves = 0;
        for (int i = 0; i < counts.length; i++) {
            int target = total / counts.length + (i < total % counts.length ? 1 : 0);
            moves += Math.max(0, highestFirst[i] - target);
        }
        return moves;
    }

    @Test
    void plansAreSoundAndSettle() {
        SplittableRandom random = new SplittableRandom(4718);
        for (int round = 0; round < 400; round++) {
            Layout layout = randomLayout(random, round % 2 == 0);

            RebalancePlan plan = REBALANCER.plan(layout);

            assertThat(REBALANCER.plan(layout)).isEqualTo(plan);
            Placement after = layout.placement().after(plan.moves());
            for (Move move : plan.moves()) {
                assertThat(layout.nodes()
                                .whyNot(
                                        move.to(),
                                        layout.needs().get(move.path()).role()))
                        .isEmpty();
            }
            RebalancePlan again = REBALANCER.plan(layout.withPlacement(after));
            assertThat(again.moves()).isEmpty();
            assertThat(again.loads()).extracting(NodeLoad::before).isEqualTo(after(plan));
            assertThat(after.changesTo(layout.placement())).hasSize(plan.moves().size());
        }
    }

    private static List<NodeLoad.Carried> after(RebalancePlan plan) {
        return plan.loads().stream().map(NodeLoad::after).toList();
    }

    private static Layout placed(Layout layout) {
        return layout.withPlacement(RingPlacement.place(layout));
    }

    private static Layout randomLayout(SplittableRandom random, boolean byWeight) {
        List<PartitionNeed> needs = IntStream.range(0, random.nextInt(1, 60))
                .mapToObj(i -> new PartitionNeed(path("p/" + i), random.nextInt(4), i % 4 == 0 ? "x" : ""))
                .toList();
        TreeMap<PartitionPath, List<NodeId>> hosts = new TreeMap<>();
        EligibleNodes nodes = EligibleNodes.of(Members.of(IntStream.range(0, random.nextInt(1, 12))
                .mapToObj(i -> i % 3 == 0 ? up(i, "x") : up(i))
                .toList()));
        // Anywhere it may be, mostly on the first few.
        for (PartitionNeed need : needs) {
            List<NodeId> chosen = new ArrayList<>();
            for (int i = 0; i < nodes.size(); i++) {
                if (chosen.size() < need.instances()
                        && nodes.whyNot(nodes.get(i), need.role()).isEmpty()
                        && random.nextInt(3) == 0) {
                    chosen.add(nodes.get(i));
                }
            }
            hosts.put(need.path(), chosen);
        }
        Layout layout = Layout.of(needs, Placement.of(hosts), nodes);
        return byWeight ? layout.withWeights(randomWeights(layout, random)) : layout;
    }

    private static Weights weights(Layout layout, ToDoubleFunction<PartitionPath> weight) {
        TreeMap<PartitionPath, Double> weights = new TreeMap<>();
        layout.needs().keySet().forEach(path -> weights.put(path, weight.applyAsDouble(path)));
        return Weights.of(weights);
    }

    private static Weights randomWeights(Layout layout, SplittableRandom random) {
        TreeMap<PartitionPath, Double> weights = new TreeMap<>();
        layout.needs().keySet().forEach(path -> weights.put(path, StrictMath.exp(3 * random.nextDouble())));
        return Weights.of(weights);
    }

    @Test
    void byWeightFewMovesMakeItEven() {
        SplittableRandom random = new SplittableRandom(4720);
        for (int round = 0; round < 40; round++) {
            Layout before = Layout.of(needs(1000, 1 + round % 2), Placement.EMPTY, clusterOf(3 + round % 5));
            Layout layout = placed(before)
                    .withWeights(weights(before, path -> StrictMath.exp(4 * random.nextDouble())))
                    .withNodes(clusterOf(6 + round % 7));

            RebalancePlan plan = REBALANCER.plan(layout);

            assertThat(plan.moves().size()).isLessThanOrEqualTo((int) (1.2 * fewestMovesByWeight(layout, plan)));
            assertThat(spreadOf(plan, load -> load.after().load())).isLessThan(0.05);
        }
    }

    /**
     * How many moves it takes at least to get as even as the plan does: from each node that carries more than any will
     * afterwards the heaviest would have to go, if only they fitted elsewhere.
     */
    private static int fewestMovesByWeight(Layout layout, RebalancePlan plan) {
        double highest = plan.loads().stream()
                .mapToDouble(load -> load.after().load())
                .max()
                .orElseThrow();
        int moves = 0;
        for (NodeLoad load : plan.loads()) {
            double carried = load.before().load();
            List<Double> heaviestFirst = layout.placement().paths().stream()
                    .filter(path -> layout.placement().hostsOf(path).contains(load.node()))
                    .map(path -> layout.weights().of(path))
                    .sorted(Comparator.reverseOrder())
                    .toList();
            for (int i = 0; carried > highest * (1 + 1e-9); i++) {
                carried -= heaviestFirst.get(i);
                moves++;
            }
        }
        return moves;
    }

    @Test
    void noiseMovesNothing() {
        SplittableRandom random = new SplittableRandom(4721);
        for (int round = 0; round < 20; round++) {
            Layout layout = Layout.of(needs(random.nextInt(1, 100), 2), Placement.EMPTY, clusterOf(7));
            Weights weights = weights(layout, path -> StrictMath.exp(3 * random.nextDouble()));
            Layout even = placed(layout).withWeights(weights);
            Layout settled = even.withPlacement(
                    even.placement().after(REBALANCER.plan(even).moves()));
            for (int sample = 0; sample < 50; sample++) {
                Weights noisy = weights(layout, path -> weights.of(path) * random.nextDouble(0.98, 1.02));
                assertThat(REBALANCER.plan(settled.withWeights(noisy)).moves()).isEmpty();
            }
        }
    }

    @Test
    void stoppedAfterAnyMoveAPlanHasDoneNoHarm() {
        SplittableRandom random = new SplittableRandom(4722);
        Layout layout = Layout.of(needs(200, 2), Placement.EMPTY, clusterOf(4));
        layout = placed(layout.withWeights(weights(layout, path -> 0.5 + random.nextDouble())))
                .withNodes(clusterOf(7));
        RebalancePlan plan = REBALANCER.plan(layout);
        double busiest = Double.MAX_VALUE;
        for (int done = 0; done <= plan.moves().size(); done++) {
            Layout reached =
                    layout.withPlacement(layout.placement().after(plan.moves().subList(0, done)));
            double now = REBALANCER.plan(reached).loads().stream()
                    .mapToDouble(load -> load.before().load())
                    .max()
                    .orElseThrow();
            assertThat(now).isLessThanOrEqualTo(busiest);
            busiest = now;
        }
    }

    @Test
    void tenThousandPartitionsArePlanned() {
        Layout layout = placed(Layout.of(needs(10_000, 3), Placement.EMPTY, clusterOf(200)));
        layout = layout.withNodes(clusterOf(240));
        RebalancePlan plan = REBALANCER.plan(layout);

        assertThat(plan.moves()).hasSize(40 * 125);
    }

    /** How far the node that is furthest from even is from it. */
    private static double spread(Layout layout) {
        return spreadOf(REBALANCER.plan(layout), load -> load.before().load());
    }

    private static double spreadOf(RebalancePlan plan, ToDoubleFunction<NodeLoad> which) {
        DoubleSummaryStatistics loads = plan.loads().stream().mapToDouble(which).summaryStatistics();
        return Math.max(loads.getMax() / loads.getAverage() - 1, 1 - loads.getMin() / loads.getAverage());
    }
}

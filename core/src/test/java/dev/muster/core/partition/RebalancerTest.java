package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.asPlaced;
import static dev.muster.core.partition.Layouts.clusterOf;
import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.placement;
import static dev.muster.core.partition.Layouts.shown;
import static dev.muster.core.partition.Layouts.up;
import static dev.muster.core.partition.WeightsTest.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RebalancerTest {
    private static final Rebalancer REBALANCER = new Rebalancer(RebalanceSettings.defaults());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // nodes | before | after
                "2 | A: 1, B: 1                     | A: 2, B: 1",
                "3 | A: 1, B: 1, C: 1               | A: 2, B: 3, C: 1",
                // One more here or there cannot be helped.
                "2 | A: 1, B: 1, C: 2               | A: 1, B: 1, C: 2",
                "3 | A: 1                           | A: 1",
                // Distinct nodes: only what the other does not have yet can go there.
                "2 | A: 1 2, B: 1 2, C: 1, D: 1     | A: 1 2, B: 1 2, C: 2, D: 1",
                "2 | A: 1 2, B: 1 2                 | A: 1 2, B: 1 2",
                // Node 9 is none of ours: what is there is not counted and does not move.
                "2 | A: 9, B: 9, C: 1               | A: 9, B: 9, C: 1",
                "2 | A: 9 1, B: 1                   | A: 9 2, B: 1",
                "0 | A: 9                           | A: 9",
            })
    void evensOutTheNumberOfInstances(int size, String before, String after) {
        Layout layout = asPlaced(placement(before), clusterOf(size));

        RebalancePlan plan = REBALANCER.plan(layout);

        assertThat(shown(layout.placement().after(plan.moves()))).isEqualTo(after);
    }

    @Test
    void aPlanCanBeLookedAt() {
        RebalancePlan plan = REBALANCER.plan(asPlaced(placement("A: 1, B: 1, C: 1, D: 1"), clusterOf(2)));

        assertThat(plan.isEmpty()).isFalse();
        assertThat(plan.summary()).isEqualTo("2 moves even out the number of instances");
        assertThat(plan.moves().get(0))
                .hasToString("A from n0001:2552#1 to n0002:2552#2: evens out the number of instances: "
                        + "n0001:2552#1 goes from 4 to 2, n0002:2552#2 from 0 to 2");
        assertThat(plan.moves().get(1).path()).isEqualTo(path("B"));
        assertThat(plan.loads())
                .containsExactly(
                        new NodeLoad(node(1), new NodeLoad.Carried(4, 4), new NodeLoad.Carried(2, 2)),
                        new NodeLoad(node(2), new NodeLoad.Carried(0, 0), new NodeLoad.Carried(2, 2)));
        assertThat(plan.refused()).isEmpty();
    }

    @Test
    void whatIsEvenIsLeftAlone() {
        RebalancePlan plan = REBALANCER.plan(asPlaced(placement("A: 1, B: 2"), clusterOf(2)));

        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.summary()).isEqualTo("the number of instances is as even as it can be, or within 10 % of it");
        assertThat(plan.loads()).extracting(NodeLoad::before).isEqualTo(List.of(carried(1), carried(1)));
    }

    @ParameterizedTest
    @CsvSource({"10, 0", "11, 0", "12, 1", "14, 2"})
    void whatIsNearlyEvenIsLeftAloneToo(int onFirst, int moves) {
        // The second node has ten, and a tenth of what the first one has may be missing.
        Placement uneven = placement(text(0, onFirst, 1) + ", " + text(onFirst, onFirst + 10, 2));

        assertThat(REBALANCER.plan(asPlaced(uneven, clusterOf(2))).moves()).hasSize(moves);
    }

    @Test
    void aHigherToleranceMovesLess() {
        Layout layout = asPlaced(placement(text(0, 14, 1) + ", " + text(14, 24, 2)), clusterOf(2));
        RebalanceSettings patient = RebalanceSettings.defaults().withTolerance(0.5);

        assertThat(new Rebalancer(patient).plan(layout).moves()).isEmpty();
    }

    @Test
    void partitionsStayOnNodesOfTheirRole() {
        EligibleNodes nodes = EligibleNodes.of(Members.of(List.of(up(1, "db"), up(2, "db"), up(3), up(4))));
        Layout layout = Layout.of(
                List.of(
                        new PartitionNeed(path("A"), 1, "db"),
                        new PartitionNeed(path("B"), 1, "db"),
                        new PartitionNeed(path("C"), 1, "db"),
                        new PartitionNeed(path("D"), 1, "db"),
                        new PartitionNeed(path("E"), 1)),
                placement("A: 1, B: 1, C: 1, D: 1, E: 1"),
                nodes);

        RebalancePlan plan = REBALANCER.plan(layout);

        assertThat(shown(layout.placement().after(plan.moves()))).isEqualTo("A: 2, B: 2, C: 1, D: 1, E: 3");
    }

    @Test
    void whatNobodyElseMayHostStays() {
        Layout layout = Layout.of(
                List.of(new PartitionNeed(path("A"), 1, "gone"), new PartitionNeed(path("B"), 1, "gone")),
                placement("A: 1, B: 1"),
                clusterOf(2));

        assertThat(REBALANCER.plan(layout).moves()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // One heavy one moves rather than many light ones.
                "A: 1, B: 1, C: 1, D: 1, E: 1 | A=4 B=1 C=1 D=1 E=1 | A: 2, B: 1, C: 1, D: 1, E: 1",
                // The heaviest would only turn the difference round, so the next one goes.
                "A: 1, B: 1, C: 1             | A=9 B=3 C=2         | A: 1, B: 2, C: 2",
                // Nothing is light enough to help.
                "A: 1, B: 2                   | A=9 B=1             | A: 1, B: 2",
                "A: 1, B: 1                   | A=9 B=9             | A: 2, B: 1",
                // Too heavy to make them even, but better than nothing: 10 and 4 become 6 and 8.
                "A: 1, B: 1, C: 2             | A=6 B=4 C=4         | A: 1, B: 2, C: 2",
                // 10 and 4 would become 5 and 9, which is hardly better and easily turns back.
                "A: 1, B: 1, C: 2             | A=5 B=5 C=4         | A: 1, B: 1, C: 2",
            })
    void evensOutTheWeights(String before, String weights, String after) {
        Layout layout = asPlaced(placement(before), clusterOf(2)).withWeights(parsed(weights));

        RebalancePlan plan = REBALANCER.plan(layout);

        assertThat(shown(layout.placement().after(plan.moves()))).isEqualTo(after);
    }

    private static Weights parsed(String text) {
        TreeMap<String, Double> weights = new TreeMap<>();
        for (String pair : text.split(" ")) {
            weights.put(pair.split("=")[0], Double.parseDouble(pair.split("=")[1]));
        }
        return weights(weights);
    }

    @Test
    void aPlanByWeightSaysSo() {
        Layout layout = asPlaced(placement("A: 1, B: 1"), clusterOf(2)).withWeights(parsed("A=0.5 B=0.25"));

        RebalancePlan plan = REBALANCER.plan(layout);

        assertThat(plan.summary()).isEqualTo("1 move evens out the load");
        assertThat(plan.moves())
                .containsExactly(new Move(
                        path("B"),
                        node(1),
                        node(2),
                        "evens out the load: n0001:2552#1 goes from 0.750 to 0.500, n0002:2552#2 from 0.00 to 0.250"));
        assertThat(plan.loads().get(1).after()).isEqualTo(new NodeLoad.Carried(1, 0.25));
        assertThat(REBALANCER
                        .plan(layout.withPlacement(placement("A: 1, B: 2")))
                        .summary())
                .isEqualTo("the load is as even as it can be, or within 10 % of it");
    }

    @Test
    void nothingMovesWhileVersionsDiffer() {
        Member newer = new Member(node(2), MemberStatus.UP, 2, List.of(), "1.1");
        Layout layout = asPlaced(placement("A: 1, B: 1"), EligibleNodes.of(Members.of(List.of(up(1), newer))));

        RebalancePlan plan = REBALANCER.plan(layout);

        assertThat(plan.isEmpty()).isTrue();
        assertThat(plan.summary())
                .isEqualTo("nothing moves while members run different versions of the application: 1.0, 1.1");
        assertThat(plan.loads()).extracting(NodeLoad::after).containsExactly(carried(2), carried(0));
        RebalanceSettings bold = RebalanceSettings.defaults().withWhileVersionsDiffer(true);
        assertThat(new Rebalancer(bold).plan(layout).moves()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -0.1, Double.NaN})
    void refusesAToleranceThatIsNone(double tolerance) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RebalanceSettings.defaults().withTolerance(tolerance))
                .withMessage("rebalance tolerance must be between 0 and 1, was " + tolerance);
    }

    private static NodeLoad.Carried carried(int instances) {
        return new NodeLoad.Carried(instances, instances);
    }

    /** Partitions {@code p/from} up to but without {@code p/to}, all on one node. */
    private static String text(int from, int to, int node) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i == from ? "" : ", ")
                    .append("p/")
                    .append(i)
                    .append(": ")
                    .append(node);
        }
        return text.toString();
    }
}

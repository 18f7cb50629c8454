package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.asPlaced;
import static dev.muster.core.partition.Layouts.clusterOf;
import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.placement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.core.state.LoadSample;
import dev.muster.core.state.LoadSample.Mailbox;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoadEstimateTest {

    @Test
    void demandIsTheAverageOverTheNodesOfAPartition() {
        LoadTable table = LoadTable.of(List.of(
                sample(1, 0.8, 0.1, 30, mailbox("A", 20), mailbox("B", 10)),
                sample(2, 0.4, 0.3, 10, mailbox("A", 10)),
                sample(3, 0.0, 0.0, 0)));
        LoadEstimate estimate = new LoadEstimate(table, placement("A: 1 2 9, B: 1, C: 3, D: 9"));

        assertThat(estimate.demandOf(path("A"))).hasValueSatisfying(demand -> {
            assertThat(demand.waiting()).isEqualTo(15);
            assertThat(demand.share()).isEqualTo(0.75);
            assertThat(demand.cpuLoad()).isCloseTo(0.6, within(1e-9));
            assertThat(demand.gcShare()).isCloseTo(0.2, within(1e-9));
        });
        assertThat(estimate.demandOf(path("B")).orElseThrow().share()).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(estimate.demandOf(path("C"))).contains(new Demand(0, 0, 0, 0));
        assertThat(estimate.demandOf(path("D"))).isEmpty();
        assertThat(estimate.demandOf(path("E"))).isEmpty();
    }

    @Test
    void partitionsThatASampleDoesNotNameShareWhatIsLeft() {
        LoadTable table = LoadTable.of(List.of(sample(1, 0.5, 0, 16, mailbox("A", 10))));
        LoadEstimate estimate = new LoadEstimate(table, placement("A: 1, B: 1, C: 1"));

        assertThat(estimate.demandOf(path("B")).orElseThrow().waiting()).isEqualTo(3);
        assertThat(estimate.demandOf(path("C")).orElseThrow().waiting()).isEqualTo(3);
    }

    @Test
    void anInstanceWeighsWhatItsOwnNodeSays() {
        LoadTable table = LoadTable.of(List.of(sample(1, 0.6, 0, 4, mailbox("A", 4)), sample(2, 0.0, 0, 0)));
        LoadEstimate estimate = new LoadEstimate(table, placement("A: 1 2 9, B: 1"));
        double idle = 0.5 * 2 / 3;

        assertThat(estimate.weightOf(path("A"), node(1)).orElseThrow()).isCloseTo(idle + 0.6 * 5 / 6, within(1e-9));
        assertThat(estimate.weightOf(path("A"), node(2)).orElseThrow()).isCloseTo(idle, within(1e-9));
        assertThat(estimate.weightOf(path("A"), node(9))).isEmpty();
        assertThat(estimate.weightOf(path("B"), node(2))).isEmpty();
    }

    @Test
    void theWorkOfANodeIsDividedByWhatWaits() {
        // Half a unit for being there, shared by the usual two instances of a node, and the work of the node.
        LoadTable table = LoadTable.of(List.of(sample(1, 0.6, 0, 4, mailbox("A", 4)), sample(2, 0.0, 0, 0)));
        Weights weights = new LoadEstimate(table, placement("A: 1, B: 1, C: 2, D: 2, E: 9")).weights();

        assertThat(weights.of(path("A"))).isCloseTo(0.25 + 0.6 * 5 / 6, within(1e-9));
        assertThat(weights.of(path("B"))).isCloseTo(0.25 + 0.6 * 1 / 6, within(1e-9));
        assertThat(weights.of(path("C"))).isCloseTo(0.25, within(1e-9));
        // Of a node without a sample nothing is known, so its partition is taken for an average one.
        assertThat(weights.of(path("E"))).isCloseTo(0.25 + 0.6 / 4, within(1e-9));
    }

    @Test
    void withoutSamplesNothingIsKnown() {
        assertThat(new LoadEstimate(LoadTable.EMPTY, placement("A: 1")).weights())
                .isEqualTo(Weights.EVEN);
        assertThat(new LoadEstimate(LoadTable.of(List.of(sample(1, 1, 0, 0))), Placement.EMPTY).weights())
                .isEqualTo(Weights.EVEN);
    }

    @Test
    void aHotPartitionGetsRoom() {
        Placement placement = placement("A: 1, B: 1, C: 1, D: 2, E: 2, F: 2");
        LoadTable table = LoadTable.of(List.of(sample(1, 0.9, 0, 500, mailbox("A", 500)), sample(2, 0.1, 0, 0)));
        Weights weights = new LoadEstimate(table, placement).weights();

        RebalancePlan plan = new Rebalancer(RebalanceSettings.defaults())
                .plan(asPlaced(placement, clusterOf(2)).withWeights(weights));

        assertThat(plan.moves()).extracting(move -> move.path().text()).containsExactly("B", "C");
    }

    @Test
    void aClusterThatIdlesIsLeftAlone() {
        Placement placement = placement("A: 1, B: 1, C: 2, D: 2");
        LoadTable table = LoadTable.of(List.of(sample(1, 0.04, 0, 1, mailbox("A", 1)), sample(2, 0.01, 0, 0)));
        Weights weights = new LoadEstimate(table, placement).weights();

        assertThat(new Rebalancer(RebalanceSettings.defaults())
                        .plan(asPlaced(placement, clusterOf(2)).withWeights(weights))
                        .moves())
                .isEmpty();
    }

    private static LoadSample sample(int node, double cpuLoad, double gcShare, long waiting, Mailbox... busiest) {
        return new LoadSample(node(node), 1, cpuLoad, gcShare, waiting, Arrays.asList(busiest));
    }

    private static Mailbox mailbox(String path, long waiting) {
        return new Mailbox(path(path), waiting);
    }
}

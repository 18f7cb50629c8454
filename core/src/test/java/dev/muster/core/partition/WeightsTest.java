package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.clusterOf;
import static dev.muster.core.partition.Layouts.need;
import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeightsTest {

    @Test
    void whereNothingIsKnownEverythingWeighsTheSame() {
        assertThat(Weights.EVEN.areKnown()).isFalse();
        assertThat(Weights.EVEN.of(path("A"))).isEqualTo(1);
        assertThat(Weights.EVEN.capacityOf(node(1))).isEqualTo(1);
        assertThat(Weights.EVEN.heaviest()).isEqualTo(1);
    }

    @Test
    void whoIsNotNamedWeighsTheAverage() {
        Weights weights = weights(Map.of("A", 2.0, "B", 4.0), Map.of(1, 8.0));

        assertThat(weights.areKnown()).isTrue();
        assertThat(weights.of(path("A"))).isEqualTo(2);
        assertThat(weights.of(path("C"))).isEqualTo(3);
        assertThat(weights.heaviest()).isEqualTo(4);
        assertThat(weights.capacityOf(node(1))).isEqualTo(8);
        assertThat(weights.capacityOf(node(2))).isEqualTo(1);
        assertThat(weights(Map.of(), Map.of(1, 2.0)).areKnown()).isTrue();
        assertThat(weights(Map.of("A", 1.0), Map.of()).areKnown()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refuseWhatIsNoWeight(double value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> weights(Map.of("A", value), Map.of()))
                .withMessage("weight of A must be positive and finite, was " + value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> weights(Map.of(), Map.of(1, value)))
                .withMessage("capacity of n0001:2552#1 must be positive and finite, was " + value);
    }

    @Test
    void goTowardsNewerOnesStepByStep() {
        Weights before = weights(Map.of("A", 1.0, "B", 1.0), Map.of());
        Weights newer = weights(Map.of("A", 3.0, "C", 5.0), Map.of(1, 2.0));

        assertThat(before.towards(newer, 0.25))
                .isEqualTo(weights(Map.of("A", 1.5, "B", 1.0, "C", 2.0), Map.of(1, 2.0)));
        assertThat(before.towards(newer, 1)).isEqualTo(weights(Map.of("A", 3.0, "B", 1.0, "C", 5.0), Map.of(1, 2.0)));
        assertThat(Weights.EVEN.towards(newer, 0.25)).isEqualTo(weights(Map.of("A", 3.75, "C", 4.25), Map.of(1, 2.0)));
    }

    @Test
    void growAndShrinkTogether() {
        Weights before = weights(Map.of("A", 1.0, "B", 2.0), Map.of(1, 2.0));

        assertThat(before.shiftedBy(0.5)).isEqualTo(weights(Map.of("A", 1.5, "B", 2.5), Map.of(1, 2.0)));
        assertThat(before.shiftedBy(-0.5)).isEqualTo(weights(Map.of("A", 0.5, "B", 1.5), Map.of(1, 2.0)));
        assertThat(before.shiftedBy(0)).isSameAs(before);
    }

    @Test
    void forgetWhatHasEnded() {
        Weights before = weights(Map.of("A", 1.0, "B", 2.0), Map.of(1, 2.0));

        assertThat(before.onlyOf(path("B")::equals)).isEqualTo(weights(Map.of("B", 2.0), Map.of(1, 2.0)));
        assertThat(before.onlyOf(any -> true)).isSameAs(before);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 1.1, Double.NaN})
    void refuseAShareThatIsNone(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Weights.EVEN.towards(Weights.EVEN, share))
                .withMessage("share must be above 0 and at most 1, was " + share);
    }

    @Test
    void areEqualByContent() {
        Weights weights = weights(Map.of("A", 1.0), Map.of(1, 2.0));

        assertThat(weights.equals(weights)).isTrue();
        assertThat(weights)
                .isEqualTo(weights(Map.of("A", 1.0), Map.of(1, 2.0)))
                .hasSameHashCodeAs(weights(Map.of("A", 1.0), Map.of(1, 2.0)))
                .isNotEqualTo(weights(Map.of("A", 1.5), Map.of(1, 2.0)))
                .isNotEqualTo(weights(Map.of("A", 1.0), Map.of()))
                .isNotEqualTo("weights")
                .hasToString("weights {A=1.0}, capacities {n0001:2552#1=2.0}");
    }

    @Test
    void aLayoutStatesEachPartitionOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.of(List.of(need("A", 1), need("A", 2)), Placement.EMPTY, clusterOf(1)))
                .withMessage("two needs of A; state each partition once");
    }

    @Test
    void aNeedIsNotNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> need("A", -1))
                .withMessage("instances of A must not be negative, was -1");
    }

    static Weights weights(Map<String, Double> partitions, Map<Integer, Double> nodes) {
        TreeMap<PartitionPath, Double> instances = new TreeMap<>();
        partitions.forEach((path, weight) -> instances.put(path(path), weight));
        TreeMap<NodeId, Double> capacities = new TreeMap<>();
        nodes.forEach((number, capacity) -> capacities.put(node(number), capacity));
        return Weights.of(instances, capacities);
    }
}

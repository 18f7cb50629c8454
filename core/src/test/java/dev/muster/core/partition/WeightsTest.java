package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.clusterOf;
import static dev.muster.core.partition.Layouts.need;
import static dev.muster.core.partition.Layouts.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
        assertThat(Weights.EVEN.heaviest()).isEqualTo(1);
    }

    @Test
    void whoIsNotNamedWeighsTheAverage() {
        Weights weights = weights(Map.of("A", 2.0, "B", 4.0));

        assertThat(weights.areKnown()).isTrue();
        assertThat(weights.of(path("A"))).isEqualTo(2);
        assertThat(weights.of(path("C"))).isEqualTo(3);
        assertThat(weights.heaviest()).isEqualTo(4);
        assertThat(weights(Map.of("A", 1.0)).areKnown()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void refuseWhatIsNoWeight(double value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> weights(Map.of("A", value)))
                .withMessage("weight of A must be positive and finite, was " + value);
    }

    @Test
    void goTowardsNewerOnesStepByStep() {
        Weights before = weights(Map.of("A", 1.0, "B", 1.0));
        Weights newer = weights(Map.of("A", 3.0, "C", 5.0));

        assertThat(before.towards(newer, 0.25)).isEqualTo(weights(Map.of("A", 1.5, "B", 1.0, "C", 2.0)));
        assertThat(before.towards(newer, 1)).isEqualTo(weights(Map.of("A", 3.0, "B", 1.0, "C", 5.0)));
        assertThat(Weights.EVEN.towards(newer, 0.25)).isEqualTo(weights(Map.of("A", 3.75, "C", 4.25)));
    }

    @Test
    void growAndShrinkTogether() {
        Weights before = weights(Map.of("A", 1.0, "B", 2.0));

        assertThat(before.shiftedBy(0.5)).isEqualTo(weights(Map.of("A", 1.5, "B", 2.5)));
        assertThat(before.shiftedBy(-0.5)).isEqualTo(weights(Map.of("A", 0.5, "B", 1.5)));
        assertThat(before.shiftedBy(0)).isSameAs(before);
    }

    @Test
    void forgetWhatHasEnded() {
        Weights before = weights(Map.of("A", 1.0, "B", 2.0));

        assertThat(before.onlyOf(path("B")::equals)).isEqualTo(weights(Map.of("B", 2.0)));
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
        Weights weights = weights(Map.of("A", 1.0));

        assertThat(weights.equals(weights)).isTrue();
        assertThat(weights)
                .isEqualTo(weights(Map.of("A", 1.0)))
                .hasSameHashCodeAs(weights(Map.of("A", 1.0)))
                .isNotEqualTo(weights(Map.of("A", 1.5)))
                .isNotEqualTo("weights")
                .hasToString("weights {A=1.0}");
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

    static Weights weights(Map<String, Double> partitions) {
        TreeMap<PartitionPath, Double> instances = new TreeMap<>();
        partitions.forEach((path, weight) -> instances.put(path(path), weight));
        return Weights.of(instances);
    }
}

package dev.muster.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.experiment.SickNodeCase.Patient;
import dev.muster.simulator.fault.FaultAction.Direction;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class SickNodeTest {
    @SuppressWarnings("unused") // read by its name
    static final List<String> STRATEGIES = SickNode.STRATEGIES;

    private final Bench bench = Bench.of(2);

    @ParameterizedTest
    @FieldSource("STRATEGIES")
    void oneSickNodeOfFiftyTakesNobodyWithIt(String strategy) {
        SickNodeCase chosen = new SickNodeCase(50, 1, strategy, Direction.BOTH, Patient.ORDINARY, 1);

        List<SickNodeRun.Outcome> outcomes = SickNode.run(1, List.of(chosen), Duration.ofMinutes(1), bench);

        assertThat(outcomes).allSatisfy(outcome -> {
            assertThat(outcome.broken()).isEmpty();
            assertThat(outcome.healthyLost()).isZero();
        });
    }

    @Test
    void aSickNodeIsNoticedAndRemoved() {
        SickNodeCase chosen = new SickNodeCase(10, 1, "keep-majority", Direction.BOTH, Patient.LEADER, 1);

        SickNodeRun.Outcome outcome = SickNodeRun.run(1, chosen, SickNode.FULL_ILLNESS);

        assertThat(outcome.sickGone()).isEqualTo(1);
        assertThat(outcome.healthyLost()).isZero();
    }

    @ParameterizedTest
    @FieldSource("STRATEGIES")
    void aSickLeaderThatHearsLittleButIsHeardTakesNobodyWithIt(String strategy) {
        List<SickNodeCase> cases = List.of(
                new SickNodeCase(10, 1, strategy, Direction.IN, Patient.LEADER, 1),
                new SickNodeCase(10, 1, strategy, Direction.IN, Patient.LEADER, 2),
                new SickNodeCase(10, 1, strategy, Direction.IN, Patient.OLDEST, 2),
                new SickNodeCase(5, 1, strategy, Direction.IN, Patient.ORDINARY, 3),
                new SickNodeCase(3, 1, strategy, Direction.IN, Patient.LEADER, 2));

        List<SickNodeRun.Outcome> outcomes = SickNode.run(1, cases, SickNode.FULL_ILLNESS, bench);

        assertThat(outcomes)
                .allSatisfy(outcome -> assertThat(outcome.healthyLost()).isZero());
    }

    @Test
    @Tag("soak")
    void aSickNodeTakesNobodyWithItInAnyPlaceAndDirection() {
        SickNode.Result result = SickNode.run(1, SickNode.FULL_WARDS, SickNode.FULL_ILLNESS, 3, bench);

        assertThat(result.broken()).as(result.table().text()).isEmpty();
    }
}

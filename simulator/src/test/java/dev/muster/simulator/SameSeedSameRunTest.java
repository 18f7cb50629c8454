package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.RunPlanner;
import dev.muster.simulator.plan.SimulationOptions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SameSeedSameRunTest {
    private final Simulation simulation = new Simulation(SimulationOptions.DRAWN.withNodes(5), List::of);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aSeedRunsTheSameEveryTime(long seed) {
        Verdict once = simulation.run(seed);
        Verdict again = simulation.run(seed);

        assertThat(again.traceHash()).isEqualTo(once.traceHash());
        assertThat(again.events()).isEqualTo(once.events());
    }

    @Test
    void differentSeedsRunDifferently() {
        assertThat(simulation.run(1).traceHash()).isNotEqualTo(simulation.run(2).traceHash());
    }

    @Test
    void whoReadsAlongDoesNotChangeTheRun() {
        StringBuilder lines = new StringBuilder();
        Verdict read = simulation.run(
                RunPlanner.plan(3, simulation.options()),
                (nanos, who, what, isNotable) -> lines.append(what),
                nanos -> {});

        assertThat(read.traceHash()).isEqualTo(simulation.run(3).traceHash());
        assertThat(lines).isNotEmpty();
    }

    @Test
    void switchingOneKindOfFaultOffLeavesTheOthersAsTheyWere() {
        var both = RunPlanner.plan(9, SimulationOptions.DRAWN.withFaults(List.of(FaultKind.LOSS, FaultKind.PAUSES)));
        var one = RunPlanner.plan(9, SimulationOptions.DRAWN.withFaults(List.of(FaultKind.LOSS)));

        assertThat(both.schedule().events()).containsAll(one.schedule().events());
    }
}

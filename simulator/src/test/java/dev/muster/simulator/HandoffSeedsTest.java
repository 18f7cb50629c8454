package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.check.Checkers;
import dev.muster.simulator.check.HandoffSituations;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.SimulationOptions;
import dev.muster.simulator.plan.Workload;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Partitions that move while everybody sends to them, in worlds with all kinds of faults. */
class HandoffSeedsTest {
    private static final SimulationOptions OPTIONS = SimulationOptions.DRAWN
            .withFaults(List.of(FaultKind.values()))
            .withWorkload(Workload.HANDOFF)
            .withLength(Duration.ofMinutes(2));

    @Test
    void whatIsPromisedHolds() {
        TreeSet<String> situations = new TreeSet<>();
        for (long seed = 1; seed <= 24; seed++) {
            Verdict verdict = new Simulation(OPTIONS.withNodes(4), Checkers::all).run(seed);
            assertThat(verdict.violations())
                    .as(
                            "seed %s: ./muster simulate --seed %s --nodes 4 --for 2m --faults all --workload handoff",
                            seed, seed)
                    .isEmpty();
            situations.addAll(verdict.situations());
        }
        assertThat(situations).anyMatch(it -> it.contains("crashes at step"));
        assertThat(situations).containsAll(HandoffSituations.all());
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        Simulation simulation = new Simulation(OPTIONS.withNodes(3), Checkers::all);
        assertThat(simulation.run(7).traceHash()).isEqualTo(simulation.run(7).traceHash());
    }
}

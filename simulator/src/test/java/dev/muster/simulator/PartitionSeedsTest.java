package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.check.Checkers;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.SimulationOptions;
import dev.muster.simulator.plan.WireMode;
import dev.muster.simulator.plan.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Partitions in worlds with all kinds of faults. */
class PartitionSeedsTest {
    private static final SimulationOptions OPTIONS =
            SimulationOptions.DRAWN.withFaults(List.of(FaultKind.values())).withWorkload(Workload.PARTITIONS);

    @Test
    void whatIsPromisedHolds() {
        for (long seed = 1; seed <= 12; seed++) {
            assertThat(new Simulation(OPTIONS, Checkers::all).run(seed).isClean())
                    .as("seed %s: ./muster simulate --seed %s --faults all --workload partitions", seed, seed)
                    .isTrue();
        }
    }

    /** The same through the codecs: same seed, same run. */
    @Test
    void theSameThroughTheWire() {
        for (long seed = 26; seed <= 28; seed++) {
            assertThat(new Simulation(OPTIONS.withWire(WireMode.BYTES), Checkers::all)
                            .run(seed)
                            .isClean())
                    .as("seed %s", seed)
                    .isTrue();
        }
    }
}

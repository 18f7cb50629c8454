package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.plan.SimulationOptions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedRangeTest {
    @Test
    void theNumberOfThreadsDoesNotChangeTheReport() throws InterruptedException {
        Simulation simulation =
                new Simulation(SimulationOptions.DRAWN.withNodes(3).withLength(Duration.ofSeconds(60)), List::of);

        SimulationReport alone = new SeedRange(95, 104).run(simulation, 1, verdict -> {}, false);
        SimulationReport together = new SeedRange(95, 104).run(simulation, 3, verdict -> {}, false);

        assertThat(together.seeds()).isEqualTo(10);
        assertThat(together.messages()).isEqualTo(alone.messages());
        assertThat(together.faultsByKind()).isEqualTo(alone.faultsByKind());
        assertThat(together.violating()).isEmpty();
    }
}

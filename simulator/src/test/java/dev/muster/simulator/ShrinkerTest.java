package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.ProcessChange;
import dev.muster.simulator.fault.FaultAction;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.SimulationOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShrinkerTest {
    /** Finds fault with any crash. */
    private static final class NobodyCrashes implements Checker {
        @Override
        public void onProcess(ProcessChange change) {
            if (change.kind() == ProcessChange.Kind.CRASHED) {
                change.world().report("X1", "a process crashed", change.node());
            }
        }
    }

    @Test
    void aFailureShrinksToTheFaultThatCausesIt() {
        Simulation simulation = new Simulation(
                SimulationOptions.DRAWN
                        .withNodes(5)
                        .withFaults(List.of(FaultKind.PAUSES, FaultKind.RESTARTS, FaultKind.CLOCKS, FaultKind.DELAYS)),
                () -> List.of(new NobodyCrashes()));
        Verdict failed = simulation.run(5);
        assertThat(failed.violations()).isNotEmpty();

        Shrinker.Shrunk shrunk = Shrinker.shrink(simulation, failed, 200);

        assertThat(shrunk.verdict().plan().schedule().events())
                .hasSize(1)
                .allMatch(event -> event.action() instanceof FaultAction.Restart);
        assertThat(shrunk.verdict().plan().usedSlots()).isEqualTo(1);
        assertThat(shrunk.describe()).contains("X1", "restart", "./muster simulate --seed 5 --nodes 5");
    }
}

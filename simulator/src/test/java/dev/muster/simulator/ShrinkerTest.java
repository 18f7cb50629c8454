package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.ProcessChange;
import dev.muster.simulator.fault.FaultAction;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.RunPlanner;
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

    @Test
    void theShortFormCanBeRunAgainByItsCommandLine() {
        Simulation simulation =
                new Simulation(SimulationOptions.DRAWN.withNodes(5), () -> List.of(new NobodyCrashes()));
        Verdict failed = simulation.run(3);
        assertThat(failed.violations()).isNotEmpty();

        Shrinker.Shrunk shrunk = Shrinker.shrink(simulation, failed, 200);
        RunPlan part = shrunk.verdict().plan();
        SimulationOptions options = RunPlanner.optionsFor(part, simulation.options());
        Verdict again = new Simulation(options, simulation.checkers()).run(3);

        assertThat(again.plan()).isEqualTo(part);
        assertThat(again.traceHash()).isEqualTo(shrunk.verdict().traceHash());
        assertThat(again.violations()).isEqualTo(shrunk.verdict().violations());
        assertThat(shrunk.describe()).contains("replay of this: " + again.replay() + "\n");
        assertThat(again.replay()).contains(" --only-faults ").contains(" --only-nodes ");
    }
}

package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.Step;
import dev.muster.simulator.plan.SimulationOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckerPanelTest {
    @Test
    void aCheckerThatThrowsIsAFindingByItself() {
        Checker broken = new Checker() {
            @Override
            public void onStep(Step step) {
                throw new IllegalStateException("confused");
            }
        };

        Verdict verdict = new Simulation(SimulationOptions.DRAWN.withNodes(3), () -> List.of(broken)).run(1);

        assertThat(verdict.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.invariant()).isEqualTo(Violation.CRASH);
            assertThat(violation.what()).contains("confused").contains("CheckerPanelTest");
        });
    }
}

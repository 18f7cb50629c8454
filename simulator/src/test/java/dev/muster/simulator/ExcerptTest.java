package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.simulator.plan.Excerpt;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.RunPlanner;
import dev.muster.simulator.plan.SimulationOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExcerptTest {
    private static final SimulationOptions OPTIONS = SimulationOptions.DRAWN.withNodes(5);
    private static final RunPlan WHOLE = RunPlanner.plan(7, OPTIONS);

    @Test
    void keepsTheFaultsNodesAndTimeThatItNames() {
        Excerpt excerpt = new Excerpt(
                Optional.of(List.of(3, 1)), Optional.of(List.of(0, 4)), Optional.of(Duration.ofMillis(12_345)));

        RunPlan part = RunPlanner.plan(7, OPTIONS.withExcerpt(excerpt));

        var all = WHOLE.schedule().events();
        assertThat(part.schedule().events()).containsExactly(all.get(0), all.get(2));
        assertThat(part.slots()).extracting(RunPlan.Slot::isUsed).containsExactly(true, false, false, false, true);
        assertThat(part.lengthNanos()).isEqualTo(12_345_000_000L);
        assertThat(RunPlanner.optionsFor(part, OPTIONS).excerpt()).isEqualTo(excerpt);
        assertThat(excerpt.commandLine()).isEqualTo(" --only-faults 1,3 --only-nodes 0,4 --until 12345ms");
    }

    @Test
    void aWholePlanNeedsNoExcerpt() {
        assertThat(RunPlanner.optionsFor(WHOLE, OPTIONS)).isEqualTo(OPTIONS);
    }

    @Test
    void whatTheRunDoesNotHaveIsRefused() {
        Excerpt excerpt = new Excerpt(Optional.of(List.of(0)), Optional.empty(), Optional.empty());

        assertThatThrownBy(() -> RunPlanner.plan(7, OPTIONS.withExcerpt(excerpt)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--only-faults names 0, but in this run they are 1.."
                        + WHOLE.schedule().events().size());
    }
}

package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.fault.FaultEvent;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.RunPlanner;
import dev.muster.simulator.plan.SimulationOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SwarmTest {
    private static final List<RunPlan> PLANS = LongStream.rangeClosed(1, 1_500)
            .mapToObj(seed -> RunPlanner.plan(seed, SimulationOptions.DRAWN))
            .toList();

    @Test
    void seedsDrawAllSizesStrategiesAndKinds() {
        Map<Integer, Integer> sizes = new HashMap<>();
        Map<String, Integer> strategies = new HashMap<>();
        PLANS.forEach(plan -> {
            sizes.merge(plan.slots().size(), 1, Integer::sum);
            strategies.merge(plan.settings().downing().strategy().name(), 1, Integer::sum);
        });

        assertThat(sizes.get(3)).isBetween(500, 700);
        assertThat(sizes.get(5)).isBetween(350, 550);
        assertThat(sizes.get(200)).isBetween(5, 30);
        assertThat(strategies).hasSize(6);
    }

    @Test
    void faultsOfALivenessRunAreOverWhenItGetsQuiet() {
        for (RunPlan plan : PLANS) {
            for (FaultEvent event : plan.schedule().events()) {
                assertThat(event.endNanos()).isLessThanOrEqualTo(plan.quietFromNanos() + 1_000_000);
            }
        }
    }

    @Test
    void thereAreEnoughFaultsAndEnoughTime() {
        long faults = PLANS.stream()
                .mapToLong(plan -> plan.schedule().events().size())
                .sum();
        double hours = PLANS.stream()
                        .mapToDouble(
                                plan -> plan.lengthNanos() / 1e9 * plan.slots().size())
                        .sum()
                / 3600;

        assertThat(faults).isGreaterThan(50_000);
        assertThat(hours).isGreaterThan(1_000);
    }
}

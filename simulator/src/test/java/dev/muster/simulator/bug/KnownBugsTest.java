package dev.muster.simulator.bug;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.SeedRange;
import dev.muster.simulator.Simulation;
import dev.muster.simulator.SimulationReport;
import dev.muster.simulator.check.Checkers;
import dev.muster.simulator.plan.SimulationOptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checks bite: with a known bug switched on, the swarm reports a violation within 200 seeds. */
class KnownBugsTest {
    private static final SeedRange SEEDS = new SeedRange(1, 200);

    @ParameterizedTest
    @EnumSource(KnownBug.class)
    void isFoundWithinTwoHundredSeeds(KnownBug bug) throws InterruptedException {
        Simulation simulation = new Simulation(SimulationOptions.DRAWN, Checkers::all, bug.rules());
        int threads = Runtime.getRuntime().availableProcessors();

        SimulationReport report = SEEDS.run(simulation, threads, verdict -> {}, true);

        assertThat(report.violating())
                .as("%s after %d seeds", bug, report.seeds())
                .isNotEmpty();
        var first = report.violating().get(0);
        System.out.printf(
                "%-34s found at seed %d by %s%n",
                bug, first.seed(), first.violations().get(0));
    }
}

package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.check.Checkers;
import dev.muster.simulator.plan.SimulationOptions;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The swarm with all faults and all checkers: a short form for every build, the whole form in {@code -Psoak}. */
class FixedSeedsTest {
    /** Rare situations that a whole run must have been in, or it does not test what it seems to. */
    private static final List<String> MUST_HAVE_HAPPENED = List.of(
            "auto-down split brain",
            "first seed self-join after timeout",
            "indirectly connected decision",
            "leader crashed in the middle of an action",
            "member restarted before old incarnation removed",
            "merge of concurrent clocks with a tombstone on one side",
            "observer changed by ring change while its record is unreachable",
            "phi above threshold and back",
            "removal while a joining node still holds it up",
            "tombstone expired",
            "two leaders at once in views",
            "uid collision refused",
            "unstable rule fired",
            "weakly up on both sides of a cut");

    private static final long[] SEEDS_WITH_A_PAST = {
        180, 229, 236, 240, 362, 369, 384, 401, 490, 492, 495, 499, 529, 545, 581, 650, 655, 793, 1107, 1146, 1230,
        1440, 1499, 92139
    };

    @Test
    void theFirstSeedsBreakNothing() throws InterruptedException {
        assertClean(run(1, 100));
    }

    /** Nothing but joining: everybody is up in time, and with few changes of version. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20, 200})
    void withoutFaultsNothingBreaks(int nodes) {
        SimulationOptions calm = SimulationOptions.DRAWN.withNodes(nodes).withFaults(List.of());

        Verdict verdict = new Simulation(calm, Checkers::all).run(1);

        assertThat(verdict.violations()).as(verdict.replay()).isEmpty();
    }

    /** Seeds that once found something. Each stays here for good. */
    @Test
    void seedsThatOnceFoundABugBreakNothing() {
        Simulation simulation = new Simulation(SimulationOptions.DRAWN, Checkers::all);
        for (long seed : SEEDS_WITH_A_PAST) {
            Verdict verdict = simulation.run(seed);
            assertThat(verdict.violations()).as(verdict.replay()).isEmpty();
        }
    }

    @Tag("soak")
    @Test
    void fifteenHundredSeedsBreakNothing() throws InterruptedException {
        SimulationReport report = run(1, 1_500);

        assertClean(report);
        assertThat(report.nodeHours()).isGreaterThan(1_000);
        assertThat(report.faults()).isGreaterThan(50_000);
        assertThat(report.situations().keySet()).containsAll(MUST_HAVE_HAPPENED);
    }

    private static SimulationReport run(long first, long last) throws InterruptedException {
        Simulation simulation = new Simulation(SimulationOptions.DRAWN, Checkers::all);
        int threads = Runtime.getRuntime().availableProcessors();
        return new SeedRange(first, last).run(simulation, threads, verdict -> {}, false);
    }

    private static void assertClean(SimulationReport report) {
        String broken = report.violating().stream()
                .map(verdict -> verdict.violations().get(0) + "\n  " + verdict.replay())
                .collect(Collectors.joining("\n"));
        assertThat(report.violating()).as(broken).isEmpty();
    }
}

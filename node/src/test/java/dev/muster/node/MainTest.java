package dev.muster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.node.command.SeedOutcome;
import dev.muster.node.command.SimulationRequest;
import dev.muster.node.command.SimulationRunner;
import dev.muster.node.command.SimulationWatcher;
import dev.muster.node.command.WorldSimulation;
import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {

    private final CommandLineUnderTest muster = new CommandLineUnderTest(new WorldSimulation());

    @Test
    void helpListsTheCommands() {
        assertThat(muster.run("--help")).isZero();
        assertThat(muster.out()).contains("simulate", "bench", "Examples:", "Exit codes:");
    }

    @Test
    void versionNamesTheJava() {
        assertThat(muster.run("--version")).isZero();
        assertThat(muster.out()).contains("muster ", "Java " + Runtime.version().feature());
    }

    @Test
    void noCommandIsWrongUsage() {
        assertThat(muster.run()).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(muster.err()).contains("no command given", "Try 'muster --help'.");
    }

    @Test
    void anUnknownCommandIsWrongUsageAndSuggestsOne() {
        assertThat(muster.run("simulat")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(muster.err()).contains("simulat").contains("simulate");
    }

    @Test
    void aBugIsNeverMixedUpWithAnAnswer() {
        var broken = new CommandLineUnderTest(new BrokenSimulation());

        assertThat(broken.run("simulate", "--faults", "all")).isEqualTo(ExitCode.BUG);
        assertThat(broken.err()).contains("this is a bug in Muster").contains("core of another version");
        assertThat(broken.out()).isEmpty();
    }

    @Test
    void benchmarksSayHowTheyAreStarted() {
        assertThat(muster.run("bench", "actors", "--against", "pekko")).isEqualTo(ExitCode.WRONG_USAGE);
        assertThat(muster.err()).contains("./muster bench").contains("muster-bench.jar");
        assertThat(muster.out()).isEmpty();

        assertThat(muster.run("bench", "--help")).isZero();
        assertThat(muster.out()).contains("muster bench actors --against pekko");
    }

    private static final class BrokenSimulation implements SimulationRunner {

        @Override
        public List<String> faultKinds() {
            return List.of("splits");
        }

        @Override
        public List<String> downingStrategies() {
            return List.of();
        }

        @Override
        public List<String> scenarios() {
            return List.of();
        }

        @Override
        public SeedOutcome run(SimulationRequest request, long seed, SimulationWatcher watcher) {
            throw new NoSuchMethodError("core of another version");
        }
    }
}

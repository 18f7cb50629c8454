package dev.muster.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class BenchCommandTest {

    private static final int WRONG_USAGE = 2;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void helpNamesEverySuiteAndEveryBenchmark() {
        assertThat(bench("--help")).isZero();
        for (Suite suite : Suite.values()) {
            assertThat(out.toString()).contains(suite.id());
            suite.benchmarks().forEach(it -> assertThat(out.toString()).contains(it.id()));
        }
    }

    @Test
    void anUnknownNameIsWrongUsage() {
        assertThat(bench("everything")).isEqualTo(WRONG_USAGE);
        assertThat(err.toString())
                .contains("'everything' is no benchmark; choose "
                        + "actors or remote or formation or steady or handoff or failover");
    }

    @Test
    void anUnknownPeerIsWrongUsage() {
        assertThat(bench("actors", "--against", "nobody")).isEqualTo(WRONG_USAGE);
        assertThat(err.toString()).contains("choose pekko");
    }

    @Test
    void whoCannotBeComparedInThisIsWrongUsage() {
        assertThat(bench("remote", "--against", "pekko,scalecube")).isEqualTo(WRONG_USAGE);
        assertThat(err.toString()).contains("'scalecube' is nobody to compare remote with; choose pekko");
    }

    @Test
    void anUnknownBenchmarkIsWrongUsage() {
        assertThat(bench("actors", "--only", "tell,swim")).isEqualTo(WRONG_USAGE);
        assertThat(err.toString()).contains("'swim'").contains("tell,ping-pong,ask,spawn,heap,allocation");
    }

    @Test
    void noRoundsAreWrongUsage() {
        assertThat(bench("actors", "--rounds", "0")).isEqualTo(WRONG_USAGE);
        assertThat(err.toString()).contains("--rounds '0' is too small");
    }

    @Test
    void noSecondsAreWrongUsage() {
        assertThat(bench("handoff", "--seconds", "0")).isEqualTo(WRONG_USAGE);
        assertThat(err.toString()).contains("--seconds '0' is too small");
    }

    private int bench(String... arguments) {
        return BenchCommand.run(new PrintWriter(out), new PrintWriter(err), arguments);
    }
}

package dev.muster.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.node.CommandLineUnderTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The experiments through the command line, with the real simulator. */
class ExperimentsTest {
    private final CommandLineUnderTest muster = new CommandLineUnderTest(new WorldSimulation());

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    false-alarms --nodes 3 --for 5m | pauses up to 3 s
                    crash-detection --nodes 3       | p99 s
                    growth --nodes 20               | rounds / log2 N
                    mass-crash --nodes 5            | settled s
                    """)
    void anExperimentPrintsItsTable(String experiment, String expected) {
        assertThat(run(experiment)).isZero();
        assertThat(muster.out()).contains(expected).contains("trace hash").contains("violations  0");
    }

    /** The promise is about one of fifty; of three, one that is sick can look like two. */
    @Test
    void sickNodePrintsItsTable() {
        int exitCode = run("sick-node --nodes 3 --for 10s");

        assertThat(muster.out()).contains("1 of 3  keep-majority").contains("trace hash");
        assertThat(exitCode).isEqualTo(muster.out().contains("violations  0") ? 0 : 1);
    }

    @Test
    void theSummarySaysHowManyThreadsTheExperimentUsed() {
        assertThat(run("growth --nodes 20 --threads 2")).isZero();
        assertThat(muster.out()).contains(" on 2 threads");
    }

    @Test
    void jsonHasTheRows() {
        assertThat(run("false-alarms --nodes 3 --for 5m --json")).isZero();

        JsonNode report = JsonMapper.builder().build().readTree(muster.out());
        assertThat(report.get("rows").size()).isEqualTo(5);
        assertThat(report.get("rows").get(0).get("condition").asString()).isEqualTo("loss 1 %");
        assertThat(report.get("rows").get(0).get("nodeHours").asDouble()).isEqualTo(0.25);
        assertThat(report.get("rows").get(0).get("unreachableEvents").asInt()).isZero();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    growth --for 5m                    | growth takes as long as it takes; leave out --for
                    sick-node --downing manual         | sick-node brings its own faults and strategies
                    false-alarms --faults loss         | false-alarms brings its own faults and strategies
                    mass-crash --for 5m                | mass-crash takes as long as it takes; leave out --for
                    mass-crash --nodes 4               | mass-crash needs at least 5 nodes, was 4
                    drain --faults loss                | drain brings its own faults and strategies
                    balance --nodes 2                  | balance needs at least 3 nodes, was 2
                    crash-detection --nodes 2          | crash-detection needs at least 3 nodes, was 2
                    """)
    void whatHasNoMeaningIsWrongUsage(String experiment, String expected) {
        assertThat(run(experiment)).isEqualTo(2);
        assertThat(muster.err()).contains(expected);
    }

    private int run(String experiment) {
        return muster.run(("simulate --scenario " + experiment).split(" ", -1));
    }
}

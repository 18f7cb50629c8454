package dev.muster.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.node.CommandLineUnderTest;
import dev.muster.simulator.Judgements;
import dev.muster.simulator.plan.Excerpt;
import dev.muster.simulator.plan.WireMode;
import dev.muster.simulator.plan.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateCommandTest {

    private final FakeSimulation simulation = new FakeSimulation();
    private final CommandLineUnderTest muster = new CommandLineUnderTest(simulation);

    @Test
    void runsEverySeedOnceAndAddsUp() {
        assertThat(muster.run("simulate", "--seeds", "1..50", "--threads", "4")).isZero();

        assertThat(simulation.seedsRun()).hasSize(50).contains(1L, 50L);
        assertThat(muster.out()).contains("seeds       50 (1..50)", "faults      150", "violations  0");
    }

    @Test
    void everyKindOfFaultIsTheDefaultAndNoneForAScenario() {
        muster.run("simulate");
        assertThat(simulation.lastRequest().faults()).isEqualTo(simulation.faultKinds());

        muster.run("simulate", "--scenario", "mass-join");
        assertThat(simulation.lastRequest().faults()).isEmpty();
    }

    @Test
    void passesOnWhatWasAskedFor() {
        assertThat(muster.run(
                        "simulate",
                        "--seed=7",
                        "--nodes=9",
                        "--for=90s",
                        "--faults=loss,splits",
                        "--downing=keep-majority",
                        "--wire=bytes",
                        "--workload=partitions",
                        "--only-faults=3,7",
                        "--only-nodes=none",
                        "--until=12s"))
                .isZero();

        assertThat(simulation.lastRequest())
                .isEqualTo(new SimulationRequest(
                        OptionalInt.of(9),
                        Optional.of(Duration.ofSeconds(90)),
                        List.of("splits", "loss"),
                        Optional.of("keep-majority"),
                        Optional.empty(),
                        new Excerpt(
                                Optional.of(List.of(3, 7)),
                                Optional.of(List.of()),
                                Optional.of(Duration.ofSeconds(12))),
                        WireMode.BYTES,
                        Workload.PARTITIONS));
    }

    @Test
    void messagesTravelAsRecordsUnlessBytesAreAskedFor() {
        muster.run("simulate");
        assertThat(simulation.lastRequest().wire()).isEqualTo(WireMode.RECORDS);

        simulation.breakAt(3, "M4");
        muster.run("simulate", "--seed", "3", "--wire", "bytes");
        assertThat(muster.out()).contains("replay: ./muster simulate --seed 3 --wire bytes");
    }

    @Test
    void anotherWayToTravelIsRefusedWithTheChoice() {
        assertThat(muster.run("simulate", "--wire", "pigeon")).isEqualTo(2);
        assertThat(muster.err()).contains("--wire 'pigeon' is no way to travel; choose one of records, bytes");

        assertThat(muster.run("simulate", "--wire", "bytes", "--scenario", "mass-join"))
                .isEqualTo(2);
        assertThat(muster.err()).contains("is for free play; leave out --scenario");
    }

    @Test
    void aSweepOfMovingPartitionsSaysInHowManyWaysSomebodyDiedInTheMiddle() {
        muster.run("simulate", "--workload", "handoff");
        assertThat(muster.out())
                .contains("crash cells 1 of 288")
                .contains("rare moves  0 of 6; not: a gate refused")
                .containsPattern("judged +H9 \\d")
                .containsPattern("let off +H9 \\d");

        muster.run("simulate", "--seeds", "1..3", "--workload", "handoff", "--json");
        assertThat(muster.out())
                .contains("\"2b 3b 4a: N1 crashes at step 4\":3")
                .contains("\"judgements\":{\"H9\":{\"judged\":3000,\"letOff\":6}}");
    }

    @Test
    void aViolationIsExitCodeOneAndSaysHowToReplayIt() {
        simulation.breakAt(3, "M4");

        int exitCode = muster.run("simulate", "--seeds", "1..5", "--nodes", "5", "--faults", "all", "--for", "600s");

        assertThat(exitCode).isEqualTo(1);
        assertThat(muster.out())
                .contains("seed 3 breaks M4")
                .contains("replay: ./muster simulate --seed 3 --nodes 5 --for 10m --faults all");
    }

    @Test
    void theReplayOfAPartNamesThePart() {
        simulation.breakAt(3, "M4");

        muster.run("simulate", "--seed", "3", "--only-faults", "7,3", "--until", "1500ms");

        assertThat(muster.out()).contains("replay: ./muster simulate --seed 3 --only-faults 3,7 --until 1500ms");
    }

    @Test
    void anExceptionInsideARunIsAFindingAndNotTheEndOfTheSweep() {
        simulation.throwAt(2);

        assertThat(muster.run("simulate", "--seeds", "1..5")).isEqualTo(1);
        assertThat(simulation.seedsRun()).hasSize(5);
        assertThat(muster.out()).contains("seed 2 breaks exception: java.lang.IllegalStateException: at seed 2");
    }

    @Test
    void jsonIsExactlyOneObjectOnStandardOutput() {
        simulation.breakAt(3, "M4");

        muster.run("simulate", "--seeds", "1..5", "--json");

        JsonNode report = JsonMapper.builder().build().readTree(muster.out());
        assertThat(report.get("seeds").asInt()).isEqualTo(5);
        assertThat(report.get("simulatedSeconds").asDouble()).isEqualTo(50.0);
        assertThat(report.get("nodeHours").asDouble()).isEqualTo(2.5);
        assertThat(report.get("faults").asInt()).isEqualTo(15);
        assertThat(report.get("checks").asInt()).isEqualTo(500);
        assertThat(report.get("violations").get(0).get("seed").asInt()).isEqualTo(3);
        assertThat(report.get("violations").get(0).get("invariant").asString()).isEqualTo("M4");
        assertThat(report.get("violations").get(0).get("replay").asString()).isEqualTo("./muster simulate --seed 3");
        assertThat(report.has("realSeconds")).isTrue();
        assertThat(report.has("traceHash"))
                .as("there is no hash of several seeds")
                .isFalse();
    }

    @Test
    void aScenarioThatMeasuresShowsItsFiguresToPeopleAndScripts() {
        muster.run("simulate", "--scenario", "mass-join", "--nodes", "1000");
        assertThat(muster.out()).contains("all up      12.5 simulated s", "trace hash  hash-of-1");
    }

    @Test
    void jsonOfOneMassJoinHasItsNumbersAndTheTraceHash() {
        muster.run("simulate", "--scenario", "mass-join", "--nodes", "1000", "--json");

        JsonNode report = JsonMapper.builder().build().readTree(muster.out());
        assertThat(report.get("traceHash").asString()).isEqualTo("hash-of-1");
        assertThat(report.get("allUpAfterSeconds").asDouble()).isEqualTo(12.5);
        assertThat(report.get("rows").get(0).get("nodes").asInt()).isEqualTo(3);
    }

    @Test
    void quietSaysNothingWhenAllIsWell() {
        assertThat(muster.run("simulate", "--quiet")).isZero();
        assertThat(muster.out() + muster.err()).isEmpty();
    }

    @Test
    void writesTheTraceOfOneSeed(@TempDir Path folder) throws Exception {
        Path trace = folder.resolve("run.txt");

        muster.run("simulate", "--seed", "7", "--trace", trace.toString());

        assertThat(Files.readString(trace)).isEqualTo("first step of 7\n");
    }

    @Test
    void readsAScenarioFile(@TempDir Path folder) throws Exception {
        Path script = Files.writeString(folder.resolve("split.txt"), "split a b\n");

        assertThat(muster.run("simulate", "--scenario", script.toString())).isZero();
        assertThat(simulation.lastRequest().scenario().orElseThrow().script()).contains("split a b\n");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    --nodes 0                 | --nodes '0' is out of range
                    --nodes five              | '--nodes'
                    --seeds 5                 | '5' is no range of seeds; write first..last, like 1..100
                    --seeds 9..3              | '9..3' ends before it begins; write 3..9
                    --seed -4                 | --seed '-4' is negative
                    --seed 1 --seeds 1..3     | --seed '1' contradicts --seeds 1..3; give only one of them
                    --for 10                  | '10' is no duration; write a number and a unit, like 10m, 90s or 500ms
                    --for 0s                  | '0s' is no time at all
                    --faults spltis           | --faults 'spltis' is no kind of fault; choose from splits,partial
                    --faults loss,            | --faults '' is no kind of fault
                    --downing hope            | --downing 'hope' is no strategy; choose one of keep-majority
                    --scenario nowhere.txt    | --scenario 'nowhere.txt' is neither a file that can be read nor built in
                    --trace run.txt           | --trace 'run.txt' can hold one run only; add --seed S to say which
                    --seed 1 --trace /no/x    | --trace '/no/x' cannot be written
                    --seed 1 --only-faults a  | 'a' is no list of numbers; write them with commas, like 3,7,9, or none
                    --only-nodes 0,2          | --only-nodes and --until take parts of one seed; add --seed S
                    --threads 0               | --threads '0' is too small
                    --sceario mass-join       | Unknown option
                    """)
    void wrongInputNamesTheOptionTheValueAndTheRemedy(String options, String expected) {
        String[] words = ("simulate " + options).split(" ", -1);

        assertThat(muster.run(words)).isEqualTo(2);
        assertThat(muster.err()).contains(expected).contains("Try 'muster simulate --help'.");
        assertThat(muster.out()).isEmpty();
        assertThat(simulation.seedsRun()).isEmpty();
    }

    @Test
    void aRequestThatTheSimulatorRefusesIsWrongUsage() {
        simulation.refuse("mass-join needs at least 2 nodes, was 1");

        assertThat(muster.run("simulate", "--nodes", "1", "--scenario", "mass-join"))
                .isEqualTo(2);
        assertThat(muster.err()).contains("mass-join needs at least 2 nodes, was 1");
    }

    @Test
    void helpHasExamplesAndTheWordsOfTheSimulator() {
        assertThat(muster.run("simulate", "--help")).isZero();
        assertThat(muster.out())
                .contains("Examples:", "muster simulate --seeds 1..1500 --faults all", "Faults:    splits, partial");
    }

    /** Answers every seed with the same numbers, and does as it is told. */
    private static final class FakeSimulation implements SimulationRunner {

        private final WorldSimulation words = new WorldSimulation();
        private final Set<Long> seedsRun = ConcurrentHashMap.newKeySet();
        private volatile SimulationRequest lastRequest;
        private long brokenSeed = -1;
        private String brokenInvariant = "";
        private long throwingSeed = -1;
        private String refusal = "";

        void breakAt(long seed, String invariant) {
            brokenSeed = seed;
            brokenInvariant = invariant;
        }

        void throwAt(long seed) {
            throwingSeed = seed;
        }

        void refuse(String reason) {
            refusal = reason;
        }

        SimulationRequest lastRequest() {
            return lastRequest;
        }

        Set<Long> seedsRun() {
            return seedsRun;
        }

        @Override
        public List<String> faultKinds() {
            return words.faultKinds();
        }

        @Override
        public List<String> downingStrategies() {
            return words.downingStrategies();
        }

        @Override
        public List<String> scenarios() {
            return words.scenarios();
        }

        @Override
        public SeedOutcome run(SimulationRequest request, long seed, SimulationWatcher watcher) {
            if (!refusal.isEmpty()) {
                throw new IllegalArgumentException(refusal);
            }
            lastRequest = request;
            seedsRun.add(seed);
            if (seed == throwingSeed) {
                throw new IllegalStateException("at seed " + seed);
            }
            watcher.reached(1_000_000_000L);
            if (watcher.wantsTrace()) {
                watcher.trace("first step of " + seed);
            }
            return new SeedOutcome(
                    10,
                    0.5,
                    Map.of("splits", 1L, "loss", 2L),
                    100,
                    seed == brokenSeed ? List.of(new SeedOutcome.Violation(brokenInvariant, "two leaders")) : List.of(),
                    "hash-of-" + seed,
                    request.scenario()
                            .map(played -> new SeedOutcome.Measured(
                                    Map.of("allUpAfterSeconds", 12.5, "rows", List.of(Map.of("nodes", 3))),
                                    "all up      12.5 simulated s\n")),
                    Optional.empty(),
                    request.workload() == Workload.HANDOFF
                            ? new TreeSet<>(Set.of("2b 3b 4a: N1 crashes at step 4", "something else"))
                            : new TreeSet<>(),
                    request.workload() == Workload.HANDOFF ? Map.of("H9", new Judgements(1000, 2)) : Map.of());
        }
    }
}

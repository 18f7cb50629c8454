package dev.muster.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.node.CommandLineUnderTest;
import dev.muster.node.ExitCode;
import dev.muster.node.ProbingMain;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The demo as somebody starts it: real processes, which only seem to be a cluster. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class DemoTest {

    private static final int NODES = ProbingLauncher.NODES;

    private final List<ProcessHandle> started = new ArrayList<>();

    @AfterEach
    void leaveNothingBehind() {
        started.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void aDemoFormsShowsADeathAndEndsAllItsProcesses() throws Exception {
        int[] ports = DemoPorts.freeRanges(NODES);
        Process demo = start("demo", "--nodes", "3", "--port", "" + ports[0], "--http", "" + ports[1]);
        try (BufferedReader out = reader(demo)) {
            assertThat(out.readLine()).contains("starting 3 nodes, each its own process", "logs are in");
            List<String> before = readUntil(out, line -> line.contains("formed"));
            assertThat(before)
                    .anyMatch(line -> line.contains("joined") && line.contains("127.0.0.1:" + (ports[0] + 2)));
            assertThat(before.get(before.size() - 1)).contains("3 nodes are up", "http://127.0.0.1:" + ports[1] + "/");
            String kill = last(readUntil(out, line -> line.contains("kill -9")));
            readUntil(out, line -> line.contains("Ctrl-C"));
            List<ProcessHandle> nodes = demo.children().toList();
            started.addAll(nodes);
            assertThat(nodes).hasSize(NODES);

            long victim = Long.parseLong(kill.strip().split(" +")[2]);
            ProcessHandle.of(victim).orElseThrow().destroyForcibly();

            // Which of the two is noticed first depends on the moment.
            List<String> after = readUntil(out, line -> line.contains("unreachable") || line.contains("was killed"));
            after.addAll(readUntil(out, line -> line.contains("unreachable") || line.contains("was killed")));
            assertThat(after).anyMatch(line -> line.contains("process " + victim + " of 127.0.0.1:" + (ports[0] + 2)));
            assertThat(after)
                    .anyMatch(line -> line.contains("unreachable") && line.contains("127.0.0.1:" + (ports[0] + 2)));

            demo.toHandle().destroy();
            out.lines().forEach(line -> assertThat(line).doesNotContain("\u001b"));
            for (ProcessHandle node : nodes) {
                node.onExit().get();
            }
        }
        assertThat(demo.waitFor()).isEqualTo(143);
    }

    @Test
    void theSumsAreToldOnceWhenASignalEndsTheDemo() throws Exception {
        int[] ports = DemoPorts.freeRanges(NODES);
        Process demo = start("demo", "--nodes", "3", "--port", "" + ports[0], "--http", "" + ports[1]);
        try (BufferedReader out = reader(demo)) {
            readUntil(out, line -> line.contains("Ctrl-C"));
            started.addAll(demo.children().toList());

            demo.toHandle().destroy();

            assertThat(out.lines().filter(line -> line.contains("messages sent")))
                    .singleElement()
                    .asString()
                    .contains("3 messages sent, 3 answered, 0 lost");
        }
        assertThat(demo.waitFor()).isEqualTo(143);
    }

    @Test
    void whereNothingIsSentThereAreNoSums() {
        int[] ports = DemoPorts.freeRanges(NODES);
        CommandLineUnderTest muster = new CommandLineUnderTest(new ProbingLauncher());
        String line = "demo --in-process --no-load --nodes 3 --for 1ms --port " + ports[0] + " --http " + ports[1];
        assertThat(muster.run(line.split(" "))).as(muster.err()).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("3 nodes are up after").doesNotContain("messages sent");
    }

    @Test
    void nodesOfADemoThatIsKilledEndByThemselves() throws Exception {
        int[] ports = DemoPorts.freeRanges(NODES);
        Process demo = start("demo", "--nodes", "3", "--json", "--port", "" + ports[0], "--http", "" + ports[1]);
        JsonNode json;
        try (BufferedReader out = reader(demo)) {
            json = JsonMapper.builder().build().readTree(out.readLine());
        }
        assertThat(json.path("formedAfterSeconds").asDouble()).isPositive();
        assertThat(json.path("nodes")).hasSize(NODES);
        List<ProcessHandle> nodes = new ArrayList<>();
        json.path("nodes")
                .forEach(node ->
                        nodes.add(ProcessHandle.of(node.path("pid").asLong()).orElseThrow()));
        started.addAll(nodes);

        demo.destroyForcibly();

        for (ProcessHandle node : nodes) {
            node.onExit().get();
        }
    }

    @Test
    void inOneProcessItFormsAndEndsByItself() throws IOException {
        int[] ports = DemoPorts.freeRanges(NODES);
        CommandLineUnderTest muster = new CommandLineUnderTest(new ProbingLauncher());

        int exit = muster.run(
                "demo",
                "--in-process",
                "--nodes",
                "3",
                "--for",
                "1ms",
                "--port",
                "" + ports[0],
                "--http",
                "" + ports[1]);

        assertThat(exit).as(muster.err()).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).contains("3 nodes in this process", "3 nodes are up after", "./muster explain --at");
        assertThat(muster.out())
                .contains("./muster migrate clock --to", "./muster handoffs --all", "./muster rebalance --dry-run");
        assertThat(muster.out()).doesNotContain("kill -9").containsOnlyOnce("3 messages sent");
        assertThat(new DemoPlan(NODES, ports[0], ports[1], true).firstTaken()).isEmpty();
    }

    @Test
    void aTakenPortIsNamedBeforeAnythingStarts() throws IOException {
        CommandLineUnderTest muster = new CommandLineUnderTest(new ProbingLauncher());
        int[] ports = DemoPorts.freeRanges(NODES);
        for (int option = 0; option < 2; option++) {
            try (ServerSocket other = new ServerSocket(ports[option] + 1, 1, InetAddress.getLoopbackAddress())) {
                assertThat(muster.run("demo", "--nodes", "3", "--port", "" + ports[0], "--http", "" + ports[1]))
                        .isEqualTo(ExitCode.ANSWER_IS_NO);
                assertThat(muster.err()).contains("port " + other.getLocalPort(), option == 0 ? "--port" : "--http");
                assertThat(muster.out()).isEmpty();
            }
        }
    }

    @Test
    void impossiblePlansAreWrongUsage() {
        CommandLineUnderTest muster = new CommandLineUnderTest(new ProbingLauncher());
        for (String wrong :
                List.of("--nodes 0", "--nodes 101", "--port 0", "--port 65535", "--port 8556", "--http x")) {
            assertThat(muster.run(("demo " + wrong).split(" "))).as(wrong).isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(muster.err()).contains(wrong.split(" ")[0], wrong.split(" ")[1]);
        }
    }

    @Test
    void theFirstNodeIsStartedAgainByTheWayOfAnother() {
        DemoPlan plan = new DemoPlan(3, 2551, 8558, true);
        assertThat(plan.restartCommand(0, index -> true))
                .contains("--port 2551", "--http 8558", "--seed 127.0.0.1:2552");
        assertThat(plan.restartCommand(2, index -> true))
                .contains("--port 2553", "--http 8560", "--seed 127.0.0.1:2551", "muster.node.demo-load=on");
        assertThat(new DemoPlan(3, 2551, 8558, false).restartCommand(2, index -> true))
                .doesNotContain("demo-load");
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ProbingMain.class.getName()));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        started.add(process.toHandle());
        return process;
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    private static List<String> readUntil(BufferedReader out, Predicate<String> wanted) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            if (wanted.test(line)) {
                return lines;
            }
        }
        throw new AssertionError("the demo ended after " + lines);
    }

    private static String last(List<String> lines) {
        return lines.get(lines.size() - 1);
    }
}

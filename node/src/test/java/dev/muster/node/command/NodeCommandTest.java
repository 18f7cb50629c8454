package dev.muster.node.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import dev.muster.node.CommandLineUnderTest;
import dev.muster.node.ExitCode;
import dev.muster.node.FakeCluster;
import dev.muster.node.FakeLauncher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class NodeCommandTest {

    private final FakeLauncher launcher = new FakeLauncher(options -> FakeCluster.of(1));
    private final CommandLineUnderTest muster = new CommandLineUnderTest(launcher);

    @Test
    void aNodeSaysThatItIsUpAndEndsWithZeroWhenItHasLeft() throws Exception {
        CompletableFuture<Integer> exit = start("node", "--port", "2551", "--http", "0");
        launcher.firstNode().leaveAndStop();

        assertThat(exit.get()).isEqualTo(ExitCode.DONE);
        assertThat(muster.out()).containsPattern("muster://test@127.0.0.1:2551 is up; HTTP at http://127.0.0.1:\\d+/");
        assertThat(muster.out().lines()).hasSize(1);
        assertThat(muster.err()).contains("has left");
    }

    @Test
    void aNodeThatWasRemovedEndsWithOneAndTheReason() throws Exception {
        CompletableFuture<Integer> exit = start("node", "--json", "--http", "0");
        launcher.firstNode().isRemoved("it was declared down");

        assertThat(exit.get()).isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(muster.err()).contains("it was declared down");
        assertThat(JsonMapper.builder()
                        .build()
                        .readTree(muster.out())
                        .path("pid")
                        .asLong())
                .isEqualTo(ProcessHandle.current().pid());
    }

    @Test
    void optionsBecomeSettings(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("node.conf");
        Files.writeString(
                file,
                "muster { node.system = orders, cluster.roles = [file], cluster.app-version = 7\n"
                        + " management.http.enabled = off }");

        Config config = configOf(
                "--config",
                file.toString(),
                "--host",
                "127.0.0.2",
                "--port",
                "4000",
                "--seed",
                "127.0.0.2:4000",
                "--seed",
                "pekko://x@h:1",
                "--role",
                "a",
                "--role",
                "b",
                "--set",
                "muster.cluster.min-nr-of-members=3",
                "--set",
                "muster.cluster.note=a:b/c{");

        assertThat(launcher.started().get(0).system()).isEqualTo("orders");
        assertThat(config.getString("muster.remote.artery.canonical.hostname")).isEqualTo("127.0.0.2");
        assertThat(config.getInt("muster.remote.artery.canonical.port")).isEqualTo(4000);
        assertThat(config.getString("muster.management.http.hostname")).isEqualTo("127.0.0.2");
        assertThat(config.getBoolean("muster.management.http.enabled")).isFalse();
        assertThat(config.getStringList("muster.cluster.seed-nodes"))
                .containsExactly("muster://orders@127.0.0.2:4000", "pekko://x@h:1");
        assertThat(config.getStringList("muster.cluster.roles")).containsExactly("a", "b");
        assertThat(config.getInt("muster.cluster.min-nr-of-members")).isEqualTo(3);
        assertThat(config.getString("muster.cluster.note")).isEqualTo("a:b/c{");
        assertThat(config.getInt("muster.cluster.app-version")).isEqualTo(7);
        assertThat(config.hasPath("muster.actor.ask-timeout"))
                .as("the defaults of the runtime")
                .isTrue();
    }

    @Test
    void setWinsOverOptionsAndOptionsOverTheFile(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("node.conf");
        Files.writeString(file, "muster.management.http { enabled = off, port = 1 }, muster.x = file, muster.y = file");
        Config config = configOf(
                "--config",
                file.toString(),
                "--set",
                "muster.x=set",
                "--set",
                "muster.management.http.enabled=off",
                "--http",
                "2");
        assertThat(config.getInt("muster.management.http.port")).isEqualTo(2);
        assertThat(config.getBoolean("muster.management.http.enabled")).isFalse();
        assertThat(config.getString("muster.x") + config.getString("muster.y")).isEqualTo("setfile");
    }

    @Test
    void withoutOptionsANodeListensWherePeopleLookForIt() throws Exception {
        Config config = configOf("--set", "muster.management.http.enabled=off");
        assertThat(config.getInt("muster.remote.artery.canonical.port")).isEqualTo(2551);
        assertThat(config.getInt("muster.management.http.port")).isEqualTo(8558);
        assertThat(config.hasPath("muster.cluster.seed-nodes")
                        && !config.getList("muster.cluster.seed-nodes").isEmpty())
                .isFalse();
    }

    @Test
    void wrongOptionsAreNamed() {
        for (List<String> wrong : List.of(
                List.of("--port", "70000"),
                List.of("--http", "-1"),
                List.of("--set", "novalue"),
                List.of("--set", "=x"),
                List.of("--seed", "nowhere"),
                List.of("--config", "/does/not/exist.conf"))) {
            List<String> command = new ArrayList<>(List.of("node"));
            command.addAll(wrong);
            assertThat(muster.run(command.toArray(String[]::new)))
                    .as("%s", wrong)
                    .isEqualTo(ExitCode.WRONG_USAGE);
            assertThat(muster.err()).contains(wrong.get(0), "'" + wrong.get(1) + "'");
        }
        assertThat(launcher.started()).isEmpty();
    }

    @Test
    void aTakenPortIsNamedWithTheRemedy() throws IOException {
        CommandLineUnderTest taken = new CommandLineUnderTest(options -> {
            throw new UncheckedIOException(new BindException("Address already in use"));
        });
        assertThat(taken.run("node", "--port", "2552")).isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(taken.err()).contains("port 2552", "--port", "taken");

        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(muster.run("node", "--http", "" + other.getLocalPort())).isEqualTo(ExitCode.ANSWER_IS_NO);
            assertThat(muster.err()).contains("port " + other.getLocalPort() + " at 127.0.0.1", "--http");
        }
    }

    @Test
    void aNodeIsNotOpenToOtherMachinesByAccident() {
        assertThat(muster.run("node", "--host", "0.0.0.0", "--http", "0")).isEqualTo(ExitCode.ANSWER_IS_NO);
        assertThat(muster.err()).contains("muster.management.http.token");
    }

    private Config configOf(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("node"));
        command.addAll(List.of(options));
        CompletableFuture<Integer> exit = start(command.toArray(String[]::new));
        launcher.firstNode().leaveAndStop();
        assertThat(exit.get()).as(muster.err()).isEqualTo(ExitCode.DONE);
        return launcher.started().get(0).config();
    }

    private CompletableFuture<Integer> start(String... command) {
        return CompletableFuture.supplyAsync(
                () -> muster.run(command), work -> new Thread(work, "node-under-test").start());
    }
}

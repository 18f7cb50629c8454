package dev.muster.node.process;

import dev.muster.node.client.ClusterView;
import dev.muster.node.client.ManagementClient;
import dev.muster.node.client.NotReachableException;
import dev.muster.node.client.Target;
import dev.muster.testkit.relay.Relays;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A place where a node can run: its addresses, its settings, its log, and the process that runs there now, if any. */
final class NodeProcess implements Relays.Endpoint {
    private final String name;
    private final Place place;
    private final Path log;
    private final ManagementClient client;
    private List<String> seeds = List.of();
    private List<String> settings = List.of();
    private List<String> program;
    private Process process;
    private boolean isPaused;

    /**
     * Where a node is.
     *
     * @param prefix what has to stand before the command line, to run it in another network
     * @param port where the others reach it
     * @param bindPort where it listens; not the same if something is between
     */
    record Place(List<String> prefix, String host, int port, int bindPort, int http) {}

    NodeProcess(String name, Place place, Path folder) {
        this.name = name;
        this.place = place;
        this.log = folder.resolve(name + ".log");
        this.client = new ManagementClient(List.of(new Target(place.host(), place.http())), Optional.empty());
    }

    String name() {
        return name;
    }

    @Override
    public int port() {
        return place.port();
    }

    int bindPort() {
        return place.bindPort();
    }

    int http() {
        return place.http();
    }

    /** As other nodes and the answers over HTTP call it, without the protocol. */
    String hostAndPort() {
        return place.host() + ":" + place.port();
    }

    void configure(List<String> newSeeds, List<String> newSettings) {
        seeds = List.copyOf(newSeeds);
        settings = List.copyOf(newSettings);
    }

    /** Adds settings to those that all have; they count from the next start on. */
    void alsoSet(String... more) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(List.of(more));
        settings = List.copyOf(all);
    }

    void runs(List<String> otherProgram) {
        program = otherProgram;
    }

    void start() {
        List<String> command = new ArrayList<>(place.prefix());
        command.addAll(program == null ? NodeProgram.command() : program);
        command.addAll(List.of("node", "--stop-with-parent", "--host", place.host()));
        command.addAll(List.of("--port", "" + place.port(), "--http", "" + place.http()));
        seeds.forEach(seed -> command.addAll(List.of("--seed", seed)));
        command.addAll(List.of("--set", "muster.remote.artery.bind.port=" + place.bindPort()));
        settings.forEach(setting -> command.addAll(List.of("--set", setting)));
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException refused) {
            throw new UncheckedIOException("the process of " + name + " did not start", refused);
        }
        isPaused = false;
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** Whether somebody is there who could answer. */
    boolean canAnswer() {
        return isAlive() && !isPaused;
    }

    void kill() {
        Machine.signal("KILL", pid());
        awaitEnd(10);
    }

    void pause() {
        Machine.signal("STOP", pid());
        isPaused = true;
    }

    void resume() {
        Machine.signal("CONT", pid());
        isPaused = false;
    }

    /** As Ctrl-C or a container's end: it leaves first. */
    void terminate() {
        Machine.signal("TERM", pid());
    }

    /** Returns the exit code. */
    int awaitEnd(int seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new AssertionError(name + " did not end within " + seconds + " s" + tail(30));
            }
            return process.exitValue();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", hurry);
        }
    }

    void destroy() {
        if (isAlive()) {
            process.destroyForcibly();
        }
    }

    /** The members as this node sees them; nothing while it does not answer. */
    ClusterView view() {
        if (!canAnswer()) {
            return ClusterView.NOTHING;
        }
        try {
            return ClusterView.of(client.get("/cluster/members").body());
        } catch (NotReachableException notYet) {
            return ClusterView.NOTHING;
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", hurry);
        }
    }

    /** What this node says of the member at the place of another, if it knows one. */
    Optional<ClusterView.Row> row(NodeProcess other) {
        return view().members().stream()
                .filter(row -> row.shortName().equals(other.hostAndPort()))
                .findFirst();
    }

    /** The incarnation that runs here now, as the node itself says. */
    String uid() {
        return row(this)
                .orElseThrow(() -> new AssertionError(name + " does not know itself" + tail(30)))
                .uid();
    }

    void leaveByHttp(NodeProcess whom) {
        try {
            int status = client.send("PUT", "/cluster/members/" + whom.hostAndPort(), Map.of("operation", "Leave"))
                    .status();
            if (status != 200) {
                throw new AssertionError(name + " answered " + status + tail(30));
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", hurry);
        }
    }

    /** Where the log ends now. */
    long mark() {
        try {
            return Files.exists(log) ? Files.size(log) : 0;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** What was logged after this mark. */
    String logSince(long mark) {
        try {
            byte[] all = Files.exists(log) ? Files.readAllBytes(log) : new byte[0];
            int from = (int) Math.min(mark, all.length);
            return new String(all, from, all.length - from, java.nio.charset.StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    String tail(int lines) {
        List<String> all = logSince(0).lines().toList();
        return "\n--- the end of " + log + (isAlive() ? "" : " (not running)") + "\n"
                + String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }

    @Override
    public String toString() {
        return name;
    }
}

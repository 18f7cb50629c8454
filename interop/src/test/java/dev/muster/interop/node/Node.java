package dev.muster.interop.node;

import dev.muster.testkit.relay.Relays;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** One node of either kind, in a process of its own, as its test sees it. */
public final class Node implements AutoCloseable, Relays.Endpoint {
    static final String SYSTEM = "mixed";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int LOG_LINES = 60;

    private final Kind kind;
    private final String address;
    private final int port;
    private final Process process;
    private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<State> states = new LinkedBlockingQueue<>();
    private final List<String> log = new ArrayList<>();
    private final List<Suspicion> suspicions = new ArrayList<>();

    private Node(Kind kind, String address, int port, Process process) {
        this.kind = kind;
        this.address = address;
        this.port = port;
        this.process = process;
        Thread reader = new Thread(this::read, "reads " + this);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a process and does not wait. */
    static Node start(Kind kind, Setup setup, Place place, List<Integer> seeds) {
        String classPath = kind == Kind.PEKKO ? setup.release().classPath() : Release.NEWEST.classPath();
        ProcessBuilder process = java(kind.options(setup, place, seeds), classPath, kind.program());
        return new Node(kind, setup.address(place.port()), place.port(), started(process));
    }

    /** The same with a program and a configuration of one's own. */
    static Node start(Application application, int port) {
        List<String> options = List.of("-Dconfig.file=" + application.configuration());
        ProcessBuilder process =
                java(options, Release.NEWEST.classPath(), application.program().getName());
        process.environment().put(Application.PORT, String.valueOf(port));
        return new Node(application.kind(), application.address(port), port, started(process));
    }

    private static ProcessBuilder java(List<String> options, String classPath, String program) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, program));
        return new ProcessBuilder(command).redirectErrorStream(true);
    }

    private static Process started(ProcessBuilder process) {
        try {
            return process.start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith(Program.MARK + "state ")) {
                    states.add(State.read(line.substring((Program.MARK + "state ").length())));
                } else if (line.startsWith(Program.MARK + "unreachable ")) {
                    suspect(Integer.parseInt(line.substring((Program.MARK + "unreachable ").length())));
                } else if (line.startsWith(Program.MARK)) {
                    said.add(line.substring(Program.MARK.length()));
                }
                synchronized (log) {
                    log.add(line);
                }
            }
        } catch (IOException closed) {
            // The process is gone, and the test knows or will notice.
        }
    }

    private void suspect(int port) {
        synchronized (log) {
            suspicions.add(new Suspicion(System.nanoTime(), port));
        }
    }

    /** That at some time this node began to hold another one unreachable. */
    public record Suspicion(long nanos, int port) {}

    public List<Suspicion> suspicions() {
        synchronized (log) {
            return List.copyOf(suspicions);
        }
    }

    public Kind kind() {
        return kind;
    }

    @Override
    public int port() {
        return port;
    }

    public String address() {
        return address;
    }

    /** The path of an actor of this node. */
    public String path(String name) {
        return address() + "/user/" + name;
    }

    public void tell(String order) {
        try {
            process.outputWriter(StandardCharsets.UTF_8)
                    .append(order)
                    .append('\n')
                    .flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(failureText("cannot be told: " + order), gone);
        }
    }

    public State state() {
        states.clear();
        tell("state");
        try {
            State state = states.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (state == null) {
                throw new AssertionError(failureText("does not say its state"));
            }
            return state;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Waits until its state is as wanted. */
    public void await(String what, Predicate<State> condition) {
        await(what, PATIENCE, condition);
    }

    public void await(String what, Duration patience, Predicate<State> condition) {
        long end = System.nanoTime() + patience.toNanos();
        State state = state();
        while (!condition.test(state)) {
            if (System.nanoTime() > end) {
                throw new AssertionError(failureText("not within " + patience + ": " + what + "; it sees " + state));
            }
            pause();
            state = state();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(50);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Waits until it says something that begins so, and returns all of it. */
    public String hears(String beginning) {
        return hears(beginning, PATIENCE);
    }

    public String hears(String beginning, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        try {
            while (System.nanoTime() < end && (process.isAlive() || !said.isEmpty())) {
                String line = said.poll(200, TimeUnit.MILLISECONDS);
                if (line != null && line.startsWith(beginning)) {
                    return line;
                }
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        throw new AssertionError(failureText("has not said (within " + patience + "): " + beginning));
    }

    /** Everything it printed so far. */
    public List<String> log() {
        synchronized (log) {
            return List.copyOf(log);
        }
    }

    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    public void pauseProcess() {
        signal("STOP");
    }

    public void resumeProcess() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int result = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                    .start()
                    .waitFor();
            if (result != 0) {
                throw new AssertionError(failureText("could not be sent " + name));
            }
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Waits until the process has ended by itself. */
    public void awaitEnd() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError(failureText("does not end"));
            }
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    private String failureText(String what) {
        List<String> lines = log();
        return this + " " + what + "\nThe end of its log:\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    @Override
    public String toString() {
        return kind + " at " + port;
    }
}

package dev.muster.bench.partitions;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node in a process of its own, as seen from outside. */
final class NodeProcess {

    private static final List<String> HEAP = List.of("-Xms256m", "-Xmx256m");
    private static final long PATIENCE_SECONDS = 90;

    private final Process process;
    private final BufferedReader out;
    private String address;

    private NodeProcess(Process process) {
        this.process = process;
        this.out = process.inputReader(StandardCharsets.UTF_8);
    }

    static NodeProcess start(NodePlan plan) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), NodeMain.class.getName()));
        command.addAll(plan.arguments());
        return new NodeProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Those of this process, but for its heap. */
    private static List<String> javaOptions() {
        List<String> options =
                new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        options.removeIf(it -> it.startsWith("-Xm") || it.equals("-XX:+AlwaysPreTouch"));
        options.addAll(HEAP);
        return options;
    }

    /** Where it can be joined; waits until it says so. */
    String address() throws IOException {
        while (address == null) {
            String line = out.readLine();
            if (line == null) {
                throw new IllegalStateException("a node ended before it had started; what it said is above");
            }
            if (line.startsWith(NodeMain.STARTED)) {
                address = line.substring(NodeMain.STARTED.length());
                drain();
            }
        }
        return address;
    }

    /** Nobody must wait because nobody reads. */
    private void drain() {
        Thread reader = new Thread(() -> {
            try {
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    System.err.println(line);
                }
            } catch (IOException ended) {
                throw new UncheckedIOException(ended);
            }
        });
        reader.setDaemon(true);
        reader.setUncaughtExceptionHandler((thread, ended) -> {});
        reader.start();
    }

    long pid() {
        return process.pid();
    }

    /** Tells it to terminate, as an operator would, and waits until it has. */
    void leave() throws InterruptedException {
        boolean isTold = process.toHandle().destroy(); // by itself it would close what the node reads, too
        if (!isTold) {
            throw new IllegalStateException("node " + address + " cannot be told to terminate");
        }
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "node " + address + " was told to terminate, and has not after " + PATIENCE_SECONDS + " s");
        }
    }

    /** Ends it from one moment to the next. */
    void kill() {
        process.destroyForcibly();
    }
}

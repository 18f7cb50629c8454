package dev.muster.node.demo;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Each node a process of its own, started from this very jar with little memory.
 *
 * <p>Their standard input is a pipe from here. When this process ends, however it ends, the pipes break, and the nodes
 * know that they are alone. So none is left behind.
 */
public final class ChildProcesses implements DemoNodes {

    private static final long LEAVE_WITHIN_MILLIS = 12_000;

    private final DemoPlan plan;
    private final Class<?> main;
    private final Path folder;
    private final List<Process> processes = new ArrayList<>();
    private final List<Process> mourned = new ArrayList<>();
    private boolean isClosed;

    /**
     * Makes a folder for the logs.
     *
     * @param main the class that understands the command {@code node}
     */
    public ChildProcesses(DemoPlan plan, Class<?> main) {
        this.plan = plan;
        this.main = main;
        try {
            this.folder = Files.createTempDirectory("muster-demo-");
        } catch (IOException refused) {
            throw new UncheckedIOException("no folder for the logs of the nodes can be made", refused);
        }
    }

    @Override
    public synchronized void start() {
        for (int i = 0; i < plan.nodes(); i++) {
            try {
                processes.add(new ProcessBuilder(command(i))
                        .redirectErrorStream(true)
                        .redirectOutput(log(i).toFile())
                        .start());
            } catch (IOException refused) {
                close();
                throw new UncheckedIOException("the process of node " + plan.name(i) + " did not start", refused);
            }
        }
    }

    private List<String> command(int index) {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        String archive = System.getProperty("muster.class.archive", "");
        if (!archive.isEmpty() && Files.isRegularFile(Path.of(archive))) {
            command.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:disable", "-Xlog:all=error:stderr"));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of("node", "--stop-with-parent", "--host", DemoPlan.HOST));
        command.addAll(List.of("--port", "" + plan.port(index), "--http", "" + plan.http(index)));
        command.addAll(List.of("--seed", plan.name(0)));
        plan.settings().forEach(setting -> command.addAll(List.of("--set", setting)));
        return command;
    }

    private Path log(int index) {
        return folder.resolve("node-" + plan.port(index) + ".log");
    }

    @Override
    public synchronized OptionalLong pid(int index) {
        return isAlive(index) ? OptionalLong.of(processes.get(index).pid()) : OptionalLong.empty();
    }

    @Override
    public synchronized boolean isAlive(int index) {
        return index < processes.size() && processes.get(index).isAlive();
    }

    @Override
    public synchronized List<String> obituaries() {
        List<String> sentences = new ArrayList<>();
        for (int i = 0; i < processes.size() && !isClosed; i++) {
            Process process = processes.get(i);
            if (!process.isAlive() && !mourned.contains(process)) {
                mourned.add(process);
                sentences.add("process " + process.pid() + " of " + plan.name(i) + " " + ending(process.exitValue())
                        + "; its log is " + log(i));
            }
        }
        return sentences;
    }

    private static String ending(int code) {
        return switch (code) {
            case 0 -> "has left and ended";
            case 137 -> "was killed";
            default -> "ended with code " + code;
        };
    }

    @Override
    public String logPlace() {
        return folder.toString();
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        processes.forEach(Process::destroy);
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LEAVE_WITHIN_MILLIS);
        try {
            for (Process process : processes) {
                if (!process.waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException hurry) {
            processes.forEach(Process::destroyForcibly);
            Thread.currentThread().interrupt();
        }
    }
}

package dev.muster.node.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What the machine has to do with a scenario: how busy it is with other things, and signals to processes. */
final class Machine {
    private static final Path PRESSURE = Path.of("/proc/pressure/cpu");

    private Machine() {}

    /**
     * For how long, since the machine started, some program had to wait for a processor. A bound in seconds is a bound
     * on what nodes do, not on how long they are kept from doing it, so this is what a bound is extended by. Always 0
     * where the kernel does not tell.
     */
    static long busyNanos() {
        try {
            String some = Files.readAllLines(PRESSURE).get(0);
            long micros = Long.parseLong(some.substring(some.indexOf("total=") + 6));
            return TimeUnit.MICROSECONDS.toNanos(micros);
        } catch (IOException notTold) {
            return 0;
        }
    }

    /** Lets time pass, for polling and for faults that have to last. */
    static void pass(long millis) {
        try {
            boolean never = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
            if (never) {
                throw new AssertionError("nobody counts this down");
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", hurry);
        }
    }

    static void signal(String name, long pid) {
        Ran ran = run(List.of("kill", "-" + name, Long.toString(pid)));
        if (ran.code() != 0) {
            throw new AssertionError("kill -" + name + " " + pid + ": " + ran.output());
        }
    }

    /** A command that has ended, and what it printed. */
    record Ran(int code, String output) {}

    static Ran run(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            return new Ran(process.waitFor(), output.strip());
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", hurry);
        }
    }
}

package dev.muster.node.command;

import dev.muster.node.Terminal;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Says on standard error how far a simulation has come: one line that renews itself on a terminal, a line now and then
 * elsewhere. Safe for many threads.
 */
final class Progress implements AutoCloseable {

    private static final long ON_TERMINAL_MILLIS = 200;
    private static final long IN_A_LOG_MILLIS = 5_000;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final Terminal terminal;
    private final long seeds;
    private final long startNanos = System.nanoTime();
    private final ScheduledExecutorService clock;

    private long seedsDone;
    private long violations;
    private double nodeHours;
    private long latestSimulatedNanos;
    private boolean isClosed;

    Progress(Terminal terminal, long seeds, boolean quiet) {
        this.terminal = terminal;
        this.seeds = seeds;
        if (quiet) {
            clock = null;
            return;
        }
        clock = Executors.newSingleThreadScheduledExecutor(Progress::daemon);
        long periodMillis = terminal.errIsWatched() ? ON_TERMINAL_MILLIS : IN_A_LOG_MILLIS;
        var unused = clock.scheduleAtFixedRate(this::show, periodMillis, periodMillis, TimeUnit.MILLISECONDS);
    }

    synchronized void reached(long simulatedNanos) {
        latestSimulatedNanos = simulatedNanos;
    }

    synchronized void finished(SeedOutcome outcome) {
        seedsDone++;
        nodeHours += outcome.nodeHours();
        violations += outcome.violations().size();
    }

    @Override
    public synchronized void close() {
        if (clock == null || isClosed) {
            return;
        }
        isClosed = true;
        clock.shutdownNow();
        if (terminal.errIsWatched()) {
            terminal.err().print(CLEAR_LINE);
            terminal.err().flush();
        }
    }

    private synchronized void show() {
        if (isClosed) {
            return;
        }
        if (terminal.errIsWatched()) {
            terminal.err().print(CLEAR_LINE + line());
            terminal.err().flush();
        } else {
            terminal.err().println(line());
        }
    }

    private String line() {
        double realSeconds = (System.nanoTime() - startNanos) / 1e9;
        if (seeds == 1) {
            return String.format(
                    Locale.ROOT, "simulating: %.1f s simulated, %.0f s real", latestSimulatedNanos / 1e9, realSeconds);
        }
        String left = seedsDone == 0
                ? ""
                : String.format(Locale.ROOT, ", about %.0f s left", realSeconds / seedsDone * (seeds - seedsDone));
        return String.format(
                Locale.ROOT,
                "simulating: %,d of %,d seeds, %,.1f node-hours, %d violations, %.0f s%s",
                seedsDone,
                seeds,
                nodeHours,
                violations,
                realSeconds,
                left);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "progress");
        thread.setDaemon(true);
        return thread;
    }
}

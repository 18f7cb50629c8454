package dev.muster.node.command;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Runs many seeds on a few threads. Which thread runs which seed has no influence on any of them. */
final class SeedSweep {

    private final SimulationRunner simulation;
    private final SimulationRequest request;
    private final Progress progress;
    private final TraceFile trace;
    private int threadsPerSeed = 1;

    SeedSweep(SimulationRunner simulation, SimulationRequest request, Progress progress, TraceFile trace) {
        this.simulation = simulation;
        this.request = request;
        this.progress = progress;
        this.trace = trace;
    }

    SimulationReport run(SeedRange range, int threads) throws InterruptedException {
        int workers = (int) Math.min(threads, range.count());
        threadsPerSeed = Math.max(1, threads / workers);
        long startNanos = System.nanoTime();
        SimulationReport.Tally tally = new SimulationReport.Tally(range);
        AtomicLong nextSeed = new AtomicLong(range.first());
        ExecutorService pool = Executors.newFixedThreadPool(workers, SeedSweep::daemon);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                running.add(pool.submit(() -> work(range, nextSeed, tally)));
            }
            for (Future<?> one : running) {
                await(one);
            }
        } finally {
            pool.shutdownNow();
        }
        return tally.report(Duration.ofNanos(System.nanoTime() - startNanos), workers);
    }

    private void work(SeedRange range, AtomicLong nextSeed, SimulationReport.Tally tally) {
        for (long seed = nextSeed.getAndIncrement();
                seed <= range.last() && !Thread.currentThread().isInterrupted();
                seed = nextSeed.getAndIncrement()) {
            SeedOutcome outcome = outcomeOf(seed);
            tally.add(seed, outcome);
            progress.finished(outcome);
        }
    }

    private SeedOutcome outcomeOf(long seed) {
        try {
            return simulation.run(request, seed, new Watcher());
        } catch (IllegalArgumentException refused) {
            throw refused;
        } catch (RuntimeException | AssertionError | StackOverflowError problem) {
            return SeedOutcome.crashed(problem);
        }
    }

    private static void await(Future<?> worker) throws InterruptedException {
        try {
            worker.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException("a simulation thread died", failed.getCause());
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "simulation");
        thread.setDaemon(true);
        return thread;
    }

    private final class Watcher implements SimulationWatcher {

        @Override
        public void reached(long simulatedNanos) {
            progress.reached(simulatedNanos);
        }

        @Override
        public int threads() {
            return threadsPerSeed;
        }

        @Override
        public boolean wantsTrace() {
            return trace.isWanted();
        }

        @Override
        public void trace(String line) {
            trace.line(line);
        }
    }
}

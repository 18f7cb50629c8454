package dev.muster.node.command;

import dev.muster.simulator.SeedRange;
import java.time.Duration;

/** Runs many seeds on a few threads. Which thread runs which seed has no influence on any of them. */
final class SeedSweep {

    private final SimulationRunner simulation;
    private final SimulationRequest request;
    private final Progress progress;
    private final TraceFile trace;
    private int threadsPerSeed = 1;
    private volatile boolean sharesThreads; // whether a seed asked for threads of its own

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
        range.forEach(workers, seed -> {
            SeedOutcome outcome = outcomeOf(seed);
            tally.add(seed, outcome);
            progress.finished(outcome);
            return true;
        });
        int used = sharesThreads ? workers * threadsPerSeed : workers;
        return tally.report(Duration.ofNanos(System.nanoTime() - startNanos), used);
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

    private final class Watcher implements SimulationWatcher {

        @Override
        public void reached(long simulatedNanos) {
            progress.reached(simulatedNanos);
        }

        @Override
        public int threads() {
            sharesThreads = true;
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

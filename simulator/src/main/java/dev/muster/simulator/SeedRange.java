package dev.muster.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/** Runs many seeds on a few threads. Which thread runs which seed has no influence on any of them. */
public record SeedRange(long first, long last) {
    private static final int ONE_IN_RUNS_TWICE = 100;

    public SeedRange {
        if (last < first) {
            throw new IllegalArgumentException("seeds must not end before they begin, were " + first + ".." + last);
        }
    }

    public long count() {
        return last - first + 1;
    }

    public boolean isOne() {
        return first == last;
    }

    @Override
    public String toString() {
        return isOne() ? Long.toString(first) : first + ".." + last;
    }

    /**
     * Does some work for every seed, each on one of so many threads.
     *
     * @param work returns whether to go on; it may be asked for seeds that other threads have begun meanwhile
     * @throws IllegalArgumentException if the work does, since then it makes no sense for any seed
     */
    public void forEach(int threads, LongPredicate work) throws InterruptedException {
        AtomicLong next = new AtomicLong(first);
        AtomicBoolean enough = new AtomicBoolean();
        runOn((int) Math.min(threads, count()), () -> {
            for (long seed = next.getAndIncrement();
                    seed <= last && !enough.get() && !Thread.currentThread().isInterrupted();
                    seed = next.getAndIncrement()) {
                if (!work.test(seed)) {
                    enough.set(true);
                }
            }
            return null;
        });
    }

    /**
     * Runs all seeds and adds up what came of them.
     *
     * @param onVerdict told about each finished seed, by any of the threads
     * @param stopAtViolation whether to start no more seeds once one was not clean
     */
    public SimulationReport run(
            Simulation simulation, int threads, Consumer<Verdict> onVerdict, boolean stopAtViolation)
            throws InterruptedException {
        long start = System.nanoTime();
        SimulationReport.Sum sum = new SimulationReport.Sum();
        forEach(threads, seed -> {
            Verdict verdict = runOne(simulation, seed);
            sum.add(verdict);
            onVerdict.accept(verdict);
            return verdict.isClean() || !stopAtViolation;
        });
        return sum.report(Duration.ofNanos(System.nanoTime() - start));
    }

    /** Some seeds run twice: a run that cannot be repeated cannot be trusted. */
    public static Verdict runOne(Simulation simulation, long seed) {
        Verdict verdict = simulation.run(seed);
        if (seed % ONE_IN_RUNS_TWICE != 0) {
            return verdict;
        }
        Verdict again = simulation.run(seed);
        return again.traceHash().equals(verdict.traceHash()) ? verdict : verdict.alsoWith(different(verdict, again));
    }

    private static Violation different(Verdict verdict, Verdict again) {
        String what = "seed " + verdict.seed() + " ran twice, with trace hashes " + verdict.traceHash() + " and "
                + again.traceHash();
        return new Violation(Violation.DETERMINISM, what, 0, "");
    }

    private static void runOn(int threads, Callable<Void> worker) throws InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(threads, SeedRange::daemon);
        try {
            List<Future<Void>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                running.add(pool.submit(worker));
            }
            for (Future<Void> one : running) {
                one.get();
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException("a simulation thread died", failed.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "simulation");
        thread.setDaemon(true);
        return thread;
    }
}

package dev.muster.simulator.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/** Where an experiment runs its worlds: on a few threads, with somebody who watches how far it has come. */
public final class Bench {
    private final int threads;
    private final LongConsumer watcher;
    private final AtomicLong simulatedNanos = new AtomicLong();

    /** @param watcher told the time simulated so far, all worlds together; by any of the threads */
    public Bench(int threads, LongConsumer watcher) {
        this.threads = threads;
        this.watcher = watcher;
    }

    /** One that nobody watches. */
    public static Bench of(int threads) {
        return new Bench(threads, nanos -> {});
    }

    /** More time was simulated in one of the worlds. */
    void passed(long nanos) {
        watcher.accept(simulatedNanos.addAndGet(nanos));
    }

    /** Runs all and returns what came of them, in their order. Which thread runs which has no influence on any. */
    <T> List<T> runAll(int count, IntFunction<T> run) {
        ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, Math.min(threads, count)), Bench::daemon);
        try {
            List<Future<T>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int index = i;
                running.add(pool.submit(() -> run.apply(index)));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> one : running) {
                results.add(one.get());
            }
            return results;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("an experiment failed: " + failed.getCause(), failed.getCause());
        } finally {
            pool.shutdownNow();
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "experiment");
        thread.setDaemon(true);
        return thread;
    }
}

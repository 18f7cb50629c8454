package dev.muster.real;

import dev.muster.environment.Activation;
import dev.muster.environment.Dispatcher;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;

/** The default dispatcher: as many threads as the machine has cores, which take work from each other. */
final class ForkJoinDispatcher implements Dispatcher {

    private static final long KEEP_ALIVE_SECONDS = 60;

    private final ForkJoinPool pool;
    private final int messagesPerTurn;

    ForkJoinDispatcher(String name, int threads, int messagesPerTurn) {
        this.pool = new ForkJoinPool(
                threads,
                MusterThreads.workers(name),
                null,
                true, // first in, first out: actors are served in the order they became ready
                threads,
                threads + 256,
                1,
                null,
                KEEP_ALIVE_SECONDS,
                TimeUnit.SECONDS);
        this.messagesPerTurn = messagesPerTurn;
    }

    @Override
    public void execute(Activation activation) {
        pool.execute((ForkJoinTask<?>) activation);
    }

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    @Override
    public int messagesPerTurn() {
        return messagesPerTurn;
    }

    @Override
    public void shutdown() {
        pool.shutdown();
    }
}

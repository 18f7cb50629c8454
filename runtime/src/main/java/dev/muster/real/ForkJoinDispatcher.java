package dev.muster.real;

import dev.muster.environment.Activation;
import dev.muster.environment.Dispatcher;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;

/** The default dispatcher: as many threads as the machine has cores, which take work from each other. */
final class ForkJoinDispatcher implements Dispatcher {

    private static final long KEEP_ALIVE_SECONDS = 60;

    /** How many at most go ahead of one that has had its turn. */
    private static final int LET_IN = 8;

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
        if (Thread.currentThread() instanceof MusterThreads.Worker worker && worker.getPool() == pool) {
            if (worker.shouldLookOutside()) {
                Outside.letInOne();
            }
            activation.fork();
        } else {
            pool.execute((ForkJoinTask<?>) activation);
        }
    }

    /**
     * A worker prefers what it queued itself, for ever if there is always some, to what came from other threads. So
     * whoever queues itself again first lets in some of those who wait outside; and so does now and then a worker whose
     * actors keep each other going.
     */
    @Override
    public void executeAfterOthers(Activation activation) {
        for (int i = 0; i < LET_IN && Outside.letInOne(); i++) {
            // One more is ahead of it now.
        }
        execute(activation);
    }

    /** The door to what other threads have submitted, which only tasks may use. */
    private abstract static class Outside extends ForkJoinTask<Void> {
        static boolean letInOne() {
            ForkJoinTask<?> waiting = pollSubmission();
            if (waiting == null) {
                return false;
            }
            waiting.fork();
            return true;
        }
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

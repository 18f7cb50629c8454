package dev.muster.real;

import dev.muster.environment.Activation;
import dev.muster.environment.Dispatcher;
import java.util.concurrent.ExecutorService;

/** A dispatcher on any executor: virtual threads, a bounded pool, or one thread. */
final class ExecutorDispatcher implements Dispatcher {

    private final ExecutorService executor;
    private final int messagesPerTurn;

    ExecutorDispatcher(ExecutorService executor, int messagesPerTurn) {
        this.executor = executor;
        this.messagesPerTurn = messagesPerTurn;
    }

    @Override
    public void execute(Activation activation) {
        executor.execute((Runnable) activation);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public int messagesPerTurn() {
        return messagesPerTurn;
    }

    @Override
    public void shutdown() {
        executor.shutdown();
    }
}

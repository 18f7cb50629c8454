package dev.muster.environment;

import java.util.concurrent.ForkJoinTask;

/**
 * Something that is run again and again, each time it is given to a {@link Dispatcher}: an actor with messages to read.
 *
 * <p>It is a fork-join task that never completes, so that the same object can be queued any number of times and no
 * wrapper is allocated for a turn. Whoever submits it makes sure that it is queued at most once at a time.
 */
public abstract class Activation extends ForkJoinTask<Void> implements Runnable {

    /** Who runs, for a trace to name. */
    public Runnable whose() {
        return this;
    }

    @Override
    protected final boolean exec() {
        run();
        return false;
    }

    @Override
    public final Void getRawResult() {
        return null;
    }

    @Override
    protected final void setRawResult(Void value) {
        // There is no result.
    }
}

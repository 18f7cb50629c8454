package dev.muster.environment;

/**
 * Runs something small later.
 *
 * <p>What is scheduled here is Muster's own code (it enqueues a message, it hands a task to a dispatcher), never the
 * user's: in production all timers share one thread.
 */
public interface Timers {

    /**
     * Runs {@code task} once, {@code delayNanos} from now or a little later, never earlier. A delay of zero or less
     * means as soon as possible, but not inside this call.
     */
    Timer schedule(long delayNanos, Runnable task);

    /** One scheduled task. */
    interface Timer {

        /** Returns true if this call kept the task from running; false if it has run, is running or was cancelled. */
        boolean cancel();
    }
}

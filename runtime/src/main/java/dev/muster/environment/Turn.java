package dev.muster.environment;

/** Who is running right now, as an identity to compare and nothing more. */
public final class Turn {

    private Turn() {}

    /** The same object for as long as one thread runs; two threads never share it. */
    public static Object current() {
        return Thread.currentThread();
    }

    /** Lets others run for a moment; for the rare wait for somebody who is about to finish. */
    @SuppressWarnings("ThreadPriorityCheck") // the one waited for may need this very core to finish
    public static void pause(int attempt) {
        if (attempt < 64) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    /** Forgets that this thread was asked to stop waiting, so that the next turn on it starts clean. */
    public static void clearInterrupt() {
        Thread.interrupted();
    }
}

package dev.muster.actor.engine;

import java.util.concurrent.CompletionException;

/** What kind of failure something is. */
public final class Failures {

    private Failures() {}

    /**
     * After which no code of this process can be trusted: no memory left, or a broken virtual machine. A stack that
     * overflowed is unwound, a class that does not link breaks only who needs it, so those are the failure of one
     * actor.
     */
    public static boolean isFatal(Throwable failure) {
        return failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError);
    }

    /** Without the wrapper that futures put around what was thrown. */
    static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}

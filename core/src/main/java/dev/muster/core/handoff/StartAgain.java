package dev.muster.core.handoff;

import java.util.List;
import java.util.Optional;

/** An instance that could not start, or ended by itself, is tried again, each time twice as late as the time before. */
final class StartAgain {
    static final long FIRST_NANOS = 1_000_000_000L;
    static final long LONGEST_NANOS = 30_000_000_000L;

    private boolean hasFailed;
    private Optional<List<byte[]>> state = Optional.empty();
    private long patienceNanos = FIRST_NANOS;
    private long dueNanos = Long.MAX_VALUE;

    /** It is about to start, with this. */
    void begins(Optional<List<byte[]>> withState) {
        state = withState;
        dueNanos = Long.MAX_VALUE;
    }

    void hasStarted() {
        forget();
        patienceNanos = FIRST_NANOS;
    }

    void fails(long nowNanos) {
        hasFailed = true;
        dueNanos = nowNanos + patienceNanos;
        patienceNanos = Math.min(LONGEST_NANOS, 2 * patienceNanos);
    }

    /** What it starts with the next time. */
    void startsWith(Optional<List<byte[]>> withState) {
        state = withState;
    }

    /** It is no matter of this node any more. */
    void forget() {
        hasFailed = false;
        state = Optional.empty();
        dueNanos = Long.MAX_VALUE;
    }

    /** Whether it could not start the last time, and has not been tried since with success. */
    boolean hasFailed() {
        return hasFailed;
    }

    /** What the instance was to start with, until it has started. */
    Optional<List<byte[]>> state() {
        return state;
    }

    long dueNanos() {
        return dueNanos;
    }
}

package dev.muster.core.handoff;

/**
 * A move that should begin here and cannot: the instance is still at its end, or at its beginning, or a move before it
 * is not over. It is not waited for without end, or it would keep others from moving.
 */
final class UnbegunMove {
    private final long patienceNanos;
    private long move;
    private long dueNanos = Long.MAX_VALUE;

    UnbegunMove(HandoffSettings settings) {
        this.patienceNanos = settings.migrationTimeout().toNanos();
    }

    /** Returns whether it has waited long enough, once for each move. */
    boolean isDue(long waiting, long nowNanos) {
        if (waiting != move) {
            move = waiting;
            dueNanos = nowNanos + patienceNanos;
        }
        boolean isDue = nowNanos >= dueNanos;
        if (isDue) {
            dueNanos = Long.MAX_VALUE;
        }
        return isDue;
    }

    /** Nothing waits to begin. */
    void none() {
        dueNanos = Long.MAX_VALUE;
    }

    long dueNanos() {
        return dueNanos;
    }
}

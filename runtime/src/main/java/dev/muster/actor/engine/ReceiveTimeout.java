package dev.muster.actor.engine;

import dev.muster.environment.Timers;

/**
 * Watches for silence. It does not arm a timer for every message: the timer, when it fires, looks how long ago the last
 * message was and waits for the rest. Used in the actor's turn only.
 */
final class ReceiveTimeout<M> implements Runnable {

    private final ActorCell<M> cell;
    private final long quietNanos;
    private final M message;
    private long lastMessageNanos;
    private Timers.Timer timer;
    private boolean cancelled;

    ReceiveTimeout(ActorCell<M> cell, long quietNanos, M message) {
        this.cell = cell;
        this.quietNanos = quietNanos;
        this.message = message;
    }

    void start() {
        lastMessageNanos = cell.nanoTime();
        arm(quietNanos);
    }

    void messageCame() {
        lastMessageNanos = cell.nanoTime();
    }

    void cancel() {
        cancelled = true;
        timer.cancel();
    }

    private void arm(long nanos) {
        timer = cell.environment().timers().schedule(nanos, this);
    }

    /** On the timers' thread: only enqueues. */
    @Override
    public void run() {
        boolean ignored = cell.ref().offerNotice(new Notice.QuietFor(this));
    }

    /** In the actor's turn: the message if it has been quiet long enough, else null. Either way it goes on watching. */
    M messageIfQuiet() {
        if (cancelled) {
            return null;
        }
        long quietSoFar = cell.nanoTime() - lastMessageNanos;
        if (quietSoFar < quietNanos) {
            arm(quietNanos - quietSoFar);
            return null;
        }
        messageCame();
        arm(quietNanos);
        return message;
    }
}

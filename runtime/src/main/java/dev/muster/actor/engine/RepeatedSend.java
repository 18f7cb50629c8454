package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Cancellable;
import dev.muster.environment.Timers;
import java.time.Duration;
import java.util.Objects;

/** Sends the same message again and again until it is called off. */
final class RepeatedSend<M> implements Cancellable, Runnable {

    private final Timers timers;
    private final long delayNanos;
    private final ActorRef<M> target;
    private final M message;

    // Guarded by this.
    private Timers.Timer timer;
    private boolean cancelled;

    private RepeatedSend(Timers timers, long delayNanos, ActorRef<M> target, M message) {
        this.timers = timers;
        this.delayNanos = delayNanos;
        this.target = target;
        this.message = message;
    }

    static <M> RepeatedSend<M> start(Timers timers, Duration initial, Duration delay, ActorRef<M> target, M message) {
        if (delay.isZero() || delay.isNegative()) {
            throw new IllegalArgumentException("the delay between messages must be positive, was " + delay);
        }
        RepeatedSend<M> send = new RepeatedSend<>(
                timers,
                delay.toNanos(),
                Objects.requireNonNull(target, "target"),
                Objects.requireNonNull(message, "message"));
        send.arm(initial.toNanos());
        return send;
    }

    private synchronized void arm(long nanos) {
        if (!cancelled) {
            timer = timers.schedule(nanos, this);
        }
    }

    @Override
    public void run() {
        synchronized (this) {
            if (cancelled) {
                return;
            }
        }
        target.tell(message);
        if (isGone(target)) {
            cancel();
        } else {
            arm(delayNanos);
        }
    }

    private static boolean isGone(ActorRef<?> target) {
        return target instanceof LocalActorRef<?> actor && actor.isClosed()
                || target instanceof AdapterRef<?, ?> adapter && adapter.isClosed();
    }

    @Override
    public synchronized boolean cancel() {
        boolean isNews = !cancelled;
        cancelled = true;
        timer.cancel();
        return isNews;
    }
}

package dev.muster.actor.engine;

import dev.muster.actor.TimerScheduler;
import dev.muster.environment.Timers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The timers of one actor. Used in its turn only.
 *
 * <p>A repeated timer is armed again when its message is handled, so however slow the actor is, at most one message of
 * each timer waits.
 */
final class ActorTimers<M> implements TimerScheduler<M> {

    private final ActorCell<M> cell;
    private final Map<Object, Entry<M>> entries = new HashMap<>();

    ActorTimers(ActorCell<M> cell) {
        this.cell = cell;
    }

    @Override
    public void startSingle(Object key, M message, Duration delay) {
        start(key, message, delay, Kind.SINGLE);
    }

    @Override
    public void startWithFixedDelay(Object key, M message, Duration delay) {
        requirePositive(delay);
        start(key, message, delay, Kind.FIXED_DELAY);
    }

    @Override
    public void startAtFixedRate(Object key, M message, Duration interval) {
        requirePositive(interval);
        start(key, message, interval, Kind.FIXED_RATE);
    }

    private static void requirePositive(Duration interval) {
        if (interval.isZero() || interval.isNegative()) {
            throw new IllegalArgumentException("the interval of a timer must be positive, was " + interval);
        }
    }

    private void start(Object key, M message, Duration delay, Kind kind) {
        cell.requireOwnTurn("start a timer");
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(message, "message");
        Entry<M> entry = new Entry<>(this, key, message, delay.toNanos(), kind);
        Entry<M> replaced = entries.put(key, entry);
        if (replaced != null) {
            replaced.timer.cancel();
        }
        entry.arm(cell.nanoTime());
    }

    @Override
    public boolean isActive(Object key) {
        return entries.containsKey(key);
    }

    @Override
    public void cancel(Object key) {
        cell.requireOwnTurn("cancel a timer");
        Entry<M> entry = entries.remove(key);
        if (entry != null) {
            entry.timer.cancel();
        }
    }

    @Override
    public void cancelAll() {
        for (Entry<M> entry : entries.values()) {
            entry.timer.cancel();
        }
        entries.clear();
    }

    enum Kind {
        SINGLE,
        FIXED_DELAY,
        FIXED_RATE
    }

    /** One timer. */
    static final class Entry<M> implements Runnable {
        private final ActorTimers<M> owner;
        private final Object key;
        private final M message;
        private final long intervalNanos;
        private final Kind kind;
        private long dueNanos;
        private Timers.Timer timer;

        Entry(ActorTimers<M> owner, Object key, M message, long intervalNanos, Kind kind) {
            this.owner = owner;
            this.key = key;
            this.message = message;
            this.intervalNanos = intervalNanos;
            this.kind = kind;
        }

        void arm(long nowNanos) {
            dueNanos = nowNanos + intervalNanos;
            timer = owner.cell.environment().timers().schedule(intervalNanos, this);
        }

        private void armAgain(long nowNanos) {
            if (kind == Kind.FIXED_DELAY) {
                arm(nowNanos);
            } else {
                dueNanos += intervalNanos;
                timer = owner.cell.environment().timers().schedule(dueNanos - nowNanos, this);
            }
        }

        /** On the timers' thread: only enqueues. */
        @Override
        public void run() {
            boolean ignored = owner.cell.ref().offerNotice(new Notice.TimerFired(this));
        }

        /** In the actor's turn: its message, or null if it was cancelled or replaced since. */
        M messageIfActive() {
            if (owner.entries.get(key) != this) {
                return null;
            }
            if (kind == Kind.SINGLE) {
                owner.entries.remove(key);
            } else {
                armAgain(owner.cell.nanoTime());
            }
            return message;
        }
    }
}

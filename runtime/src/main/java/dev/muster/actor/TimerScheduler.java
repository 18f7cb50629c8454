package dev.muster.actor;

import java.time.Duration;

/**
 * An actor's own timers, by key: they send it messages, end with it, and a cancelled one is never heard of again, even
 * when its message was in the mailbox already.
 *
 * @param <M> the actor's messages
 */
public interface TimerScheduler<M> {

    /** Sends {@code message} once. A timer of the same key is replaced. */
    void startSingle(Object key, M message, Duration delay);

    /** Sends {@code message} again and again, {@code delay} after the last one was sent. */
    void startWithFixedDelay(Object key, M message, Duration delay);

    /** Sends {@code message} at a steady rate; after a pause it catches up. */
    void startAtFixedRate(Object key, M message, Duration interval);

    /** The same with the message as its key. */
    default void startSingle(M message, Duration delay) {
        startSingle(message, message, delay);
    }

    boolean isActive(Object key);

    void cancel(Object key);

    void cancelAll();
}

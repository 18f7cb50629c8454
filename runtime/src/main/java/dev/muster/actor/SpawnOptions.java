package dev.muster.actor;

import dev.muster.environment.Dispatchers;
import java.util.Objects;

/**
 * How an actor is run.
 *
 * @param dispatcher the name of its dispatcher
 * @param mailboxCapacity how many messages may wait; {@link #DEFAULT_CAPACITY} or {@link #UNBOUNDED} instead of a
 *     number
 */
public record SpawnOptions(String dispatcher, int mailboxCapacity) {

    /** As the settings say: {@code muster.actor.mailbox-capacity} for top-level actors, no bound for children. */
    public static final int DEFAULT_CAPACITY = 0;

    /** As many as there is memory for. */
    public static final int UNBOUNDED = Integer.MAX_VALUE;

    private static final SpawnOptions DEFAULTS = new SpawnOptions(Dispatchers.DEFAULT, DEFAULT_CAPACITY);

    public SpawnOptions {
        Objects.requireNonNull(dispatcher, "dispatcher");
        if (mailboxCapacity < 0) {
            throw new IllegalArgumentException("mailbox capacity must be positive, was " + mailboxCapacity);
        }
    }

    public static SpawnOptions defaults() {
        return DEFAULTS;
    }

    /** For an actor that waits inside its handlers: on virtual threads from Java 21 on, else on a bounded pool. */
    public static SpawnOptions blocking() {
        return DEFAULTS.withDispatcher(Dispatchers.BLOCKING);
    }

    /** For an actor that needs a thread of its own, such as one bound to a native library. */
    public static SpawnOptions pinned() {
        return DEFAULTS.withDispatcher(Dispatchers.PINNED);
    }

    public SpawnOptions withDispatcher(String name) {
        return new SpawnOptions(name, mailboxCapacity);
    }

    /** At most so many messages wait; what is sent beyond them is a dead letter. */
    public SpawnOptions withMailboxCapacity(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("mailbox capacity must be positive, was " + capacity);
        }
        return new SpawnOptions(dispatcher, capacity);
    }

    public SpawnOptions withUnboundedMailbox() {
        return new SpawnOptions(dispatcher, UNBOUNDED);
    }
}

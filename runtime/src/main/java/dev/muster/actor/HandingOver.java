package dev.muster.actor;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * Told to an actor that another one takes over from, elsewhere: the moment to give away what it knows.
 *
 * <p>It has handled its last message. What it gives by {@link #state} goes to the actor that comes after it; whoever
 * does not handle this signal gives nothing. Which behavior a handler returns makes no difference, for normally only
 * {@link PostStop} comes after it.
 *
 * <p>When a handler throws, or what it gives cannot be written, nothing is handed over: the actor goes on where it is
 * as if it had not been asked, and may be asked again later. So a handler should not change anything.
 */
public final class HandingOver implements Signal {

    private final Consumer<Object> taker;

    /** For a test of a behavior, too: {@code taker} gets the state. */
    public HandingOver(Consumer<Object> taker) {
        this.taker = Objects.requireNonNull(taker, "taker");
    }

    /**
     * Gives the state, once, while this signal is handled.
     *
     * @throws IllegalStateException if it was given already, or the signal has been handled
     */
    public void state(Object state) {
        taker.accept(Objects.requireNonNull(state, "state"));
    }

    @Override
    public String toString() {
        return "HandingOver";
    }
}

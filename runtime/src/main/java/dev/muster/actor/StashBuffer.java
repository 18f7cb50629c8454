package dev.muster.actor;

/**
 * Messages put aside for later, with those who wait for their replies.
 *
 * @param <M> the actor's messages
 */
public interface StashBuffer<M> {

    /**
     * Puts the message being handled aside.
     *
     * @throws StashOverflowException if it is full; unless handled, the actor fails
     */
    void stash(M message);

    /**
     * Handles all of them next, in the order they came and before anything newer; returns {@code next} to be returned.
     */
    Behavior<M> unstashAll(Behavior<M> next);

    int size();

    int capacity();

    default boolean isEmpty() {
        return size() == 0;
    }

    default boolean isFull() {
        return size() >= capacity();
    }
}

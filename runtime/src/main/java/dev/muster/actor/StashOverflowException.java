package dev.muster.actor;

/** A message could not be put aside, because the stash is full. */
public final class StashOverflowException extends RuntimeException {

    public StashOverflowException(int capacity) {
        super("the stash is full with " + capacity + " messages; give Behaviors.withStash a larger capacity,"
                + " or drop what is too much");
    }
}

package dev.muster.actor;

/** The last thing an actor hears, after all of its children have stopped. */
public enum PostStop implements Signal {
    INSTANCE
}

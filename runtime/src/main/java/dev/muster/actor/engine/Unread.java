package dev.muster.actor.engine;

/**
 * A message in the form in which it came from elsewhere. Reading it may run users' code, so its recipient does that.
 */
@FunctionalInterface
public interface Unread {

    /** The message; null if it cannot be read, which is reported already. */
    Object read();
}

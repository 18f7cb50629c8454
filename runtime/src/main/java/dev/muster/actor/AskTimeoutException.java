package dev.muster.actor;

import java.util.concurrent.TimeoutException;

/**
 * No reply came in time, or before the system of the asker was closed. A reply that comes later is a dead letter.
 *
 * <p>A question to an actor on another node, or to a partition, may never have reached it; but it may also have been
 * carried out, or still be. Repeating it is safe only if doing it twice is.
 */
public final class AskTimeoutException extends TimeoutException {

    public AskTimeoutException(String message) {
        super(message);
    }
}

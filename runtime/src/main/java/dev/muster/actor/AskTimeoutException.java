package dev.muster.actor;

import java.util.concurrent.TimeoutException;

/** No reply came in time. A reply that comes later is a dead letter. */
public final class AskTimeoutException extends TimeoutException {

    public AskTimeoutException(String message) {
        super(message);
    }
}

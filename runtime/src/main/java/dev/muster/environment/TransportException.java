package dev.muster.environment;

/** This node cannot be reached as it was told to be; the message says why and what to do. */
public final class TransportException extends RuntimeException {
    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}

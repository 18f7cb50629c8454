package dev.muster.discovery;

/** A lookup gave no usable answer. The message names what was asked, of whom, and what went wrong. */
public final class DiscoveryException extends RuntimeException {

    public DiscoveryException(String message) {
        super(message);
    }

    public DiscoveryException(String message, Throwable cause) {
        super(message, cause);
    }
}

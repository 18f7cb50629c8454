package dev.muster.actor;

/** The reply to an ask was not of the type that was asked for. */
public final class UnexpectedReplyException extends RuntimeException {

    public UnexpectedReplyException(String message) {
        super(message);
    }
}

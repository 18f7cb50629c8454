package dev.muster.actor;

/**
 * A question never reached its actor, or is none that it handles, so there is no use in waiting for the time-out. Only
 * the node that asks says so: what another node cannot deliver ends by {@link AskTimeoutException}.
 */
public final class NotDeliveredException extends RuntimeException {

    private final DeadLetter.Reason reason;

    /** @param why the reason in words */
    public NotDeliveredException(String recipient, String why, DeadLetter.Reason reason) {
        super("the message to " + recipient + " was not delivered: " + why);
        this.reason = reason;
    }

    public DeadLetter.Reason reason() {
        return reason;
    }
}

package dev.muster.actor;

/** A question never reached its actor, so there is no use in waiting for the time-out. */
public final class NotDeliveredException extends RuntimeException {

    private final DeadLetter.Reason reason;

    public NotDeliveredException(ActorPath recipient, DeadLetter.Reason reason) {
        super("the message to " + recipient + " was not delivered: " + reason);
        this.reason = reason;
    }

    public DeadLetter.Reason reason() {
        return reason;
    }
}

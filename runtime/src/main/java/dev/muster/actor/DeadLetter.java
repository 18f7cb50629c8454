package dev.muster.actor;

/**
 * A message that nobody will handle. Subscribe to {@link EventStream} to see them.
 *
 * @param message what was sent
 * @param recipient where it was sent to
 * @param reason why it was not handled
 */
public record DeadLetter(Object message, ActorPath recipient, Reason reason) {

    /** Why a message became a dead letter. */
    public enum Reason {
        /** The actor had stopped, or there never was one. */
        STOPPED,
        /** As many messages as may wait were waiting. */
        MAILBOX_FULL,
        /** A reply to somebody who no longer waits, after a time-out or an earlier reply. */
        LATE_REPLY,
        /** A reply where nobody asked for one. */
        NO_REPLY_EXPECTED,
        /**
         * It reached its actor, which did not handle it. A question fails by that; {@link UnhandledMessage} counts it.
         */
        UNHANDLED,
        /** Its node was quarantined, or this one has ended. */
        QUARANTINED,
        /** As much as may wait for that node was waiting. */
        QUEUE_FULL,
        /** It could not be turned into bytes, or into too many. */
        NOT_SENT,
        /** It was sent while its partition moved, and the policy says to drop it. */
        HANDOFF,
        /** As much as may wait for a partition that moves was waiting. */
        BUFFER_FULL,
        /**
         * It came to a node that did not host its partition any more. Passed on from there it might have come after
         * what its sender has sent since, and the policy of the partition keeps the order.
         */
        OUT_OF_ORDER,
        /**
         * It came from another node in a form that this one cannot read. Instead of the message there is a text that
         * says why.
         */
        UNREADABLE
    }
}

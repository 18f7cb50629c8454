package dev.muster.core.exchange;

/** The pulse: one asks, the other answers, and the answers feed the asker's failure detector. */
public sealed interface HeartbeatMessage extends CoreMessage {

    record Heartbeat(long sequence, long sentAtNanos) implements HeartbeatMessage {}

    /** Both numbers are echoed from the request. */
    record HeartbeatReply(long sequence, long sentAtNanos) implements HeartbeatMessage {}
}

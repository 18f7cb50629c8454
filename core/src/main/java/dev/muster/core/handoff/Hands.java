package dev.muster.core.handoff;

import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * What a gate can have done. Answers come later by the gate's {@code on...} methods, never from inside one of these.
 *
 * @param <M> a message of users
 */
public interface Hands<M> {

    /** Why a message is not delivered. */
    enum Drop {
        /** The policy says so. */
        HANDOFF,
        /** As much as may wait was waiting. */
        BUFFER_FULL,
        /** The partition is nowhere. */
        STOPPED,
        /** It has come to a node that is no host, and might be overtaken on its way by what was sent after it. */
        OUT_OF_ORDER
    }

    /**
     * Make an instance here. Answered by {@link PartitionGate#onStarted} or {@link PartitionGate#onStartFailed}. Beyond
     * its own beginning it does nothing before {@link #letAct}: the one before may still be at work, and a timer acts
     * on the world as much as a message.
     *
     * @param state what the one before left; empty to begin anew
     */
    void create(long epoch, Optional<List<byte[]>> state);

    /** The instance that was made last may act from now on, be it there already or not. */
    void letAct();

    /**
     * Let the instance finish the message that it is at, and end. Answered by {@link PartitionGate#onRetired}, or, if
     * it is to leave its state and cannot, by {@link PartitionGate#onNotRetired}.
     */
    void retire(boolean wantsState);

    void deliver(M message);

    /** On the stream on which messages to this partition travel. */
    void send(NodeId to, GateMessage<M> message);

    void drop(M message, Drop why);

    /** Send it to where this node's table says. Returns where that is; empty if it is nowhere, and it was dropped. */
    Optional<NodeId> passOn(M message, int hops);

    /** Tell the core what became of a move that begins here: that it is done, or why it cannot be. */
    void report(long move, Optional<String> failure);

    /** Tell the core that no instance is here any more, which had to end because the row of that epoch has none. */
    void reportEnd(long epoch);

    /** Tell the core that the instance which should be here could not be started. It is tried again all the same. */
    void cannotStart(String why);

    /** These nodes have not said for long that they know the new host; what they send to it still waits there. */
    void overdue(long move, List<NodeId> silent);

    /** How many bytes a message takes, more or less. */
    long weigh(M message);
}

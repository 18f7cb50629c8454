package dev.muster.wire;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;

/** What may arrive for the membership of a node. */
public sealed interface ClusterMessage {

    /** From one core to another. The sender that it names is the one that the connection has proved. */
    record Core(NodeId claimedFrom, CoreMessage message) implements ClusterMessage {}

    /** Somebody wants the member at this address to leave. */
    record Leave(NodeAddress address) implements ClusterMessage {}

    /** Somebody wants the member at this address to be declared down. */
    record Down(NodeAddress address) implements ClusterMessage {}
}

package dev.muster.core.exchange;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.SeenDigest;
import dev.muster.core.state.VectorClock;

/** How state spreads. Each names the incarnation it is meant for; any other ignores it. */
public sealed interface GossipMessage extends CoreMessage {
    NodeId to();

    /** Which version I have and a digest of who has seen it; no content. */
    record GossipStatus(NodeId to, VectorClock version, SeenDigest seenDigest) implements GossipMessage {}

    /** All that I know. */
    record GossipState(NodeId to, ClusterState state) implements GossipMessage {}
}

package dev.muster.simulator;

import dev.muster.core.state.NodeId;

/** One message under way. It happens when it arrives. */
final class Transit extends Event {
    private final SimulatedNetwork network;
    final Link link;
    final SimulatedNode sender;
    /** Whom the receiver takes for the sender: the sender, unless it lies. */
    final NodeId from;
    /** A message between cores, as itself or as bytes, or one of the network's own such as {@link Proof}. */
    final Object content;

    final long sentAtNanos;
    /** It was stalled, so it needed its sender to be alive for the repetition. */
    boolean waited;
    /** It was delivered before and comes once more. */
    final boolean isReplay;

    Transit(
            SimulatedNetwork network,
            Link link,
            SimulatedNode sender,
            NodeId from,
            Object content,
            long sentAtNanos,
            boolean isReplay) {
        this.network = network;
        this.link = link;
        this.sender = sender;
        this.from = from;
        this.content = content;
        this.sentAtNanos = sentAtNanos;
        this.isReplay = isReplay;
    }

    Transit again() {
        return new Transit(network, link, sender, from, content, sentAtNanos, true);
    }

    /** It will not arrive, and its sender does not learn of that. */
    void isLost(String how) {
        network.lost(this, how);
    }

    @Override
    void happen() {
        network.arrived(this);
    }
}

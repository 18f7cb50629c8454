package dev.muster.cluster;

/** A question to a node whose membership has ended. If it may rejoin, it answers again when it has begun to. */
public final class NodeStoppedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public NodeStoppedException(String message) {
        super(message);
    }
}

package dev.muster.core.state;

import java.util.Objects;

/**
 * One instance of a partition on its way from a node to another: a pending change, or the last one that was made.
 *
 * @param id the epoch of the row that began it, which no other move has
 * @param from the old host, N1 in the specification
 * @param to the new host, N2
 */
public record PartitionMove(long id, NodeId from, NodeId to, Stage stage) {

    public enum Stage {
        /** The old host is to hand over, and is still the one that the row names. */
        PENDING,
        /** The row names the new host. Who learns of it tells the old one that nothing more will come from it. */
        DONE
    }

    public PartitionMove {
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(stage, "stage");
        if (from.equals(to)) {
            throw new IllegalArgumentException("a move leads to another node, but this one from " + from + " to it");
        }
    }

    public boolean isPending() {
        return stage == Stage.PENDING;
    }

    public PartitionMove done() {
        return new PartitionMove(id, from, to, Stage.DONE);
    }

    @Override
    public String toString() {
        return (isPending() ? "moves" : "moved") + " from " + from + " to " + to + " since " + id;
    }
}

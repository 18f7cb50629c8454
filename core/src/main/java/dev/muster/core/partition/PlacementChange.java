package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.Objects;
import java.util.Optional;

/**
 * One instance that is elsewhere in another placement: with both nodes it moves, with one of them it ends or begins.
 *
 * @param from where it was; empty for an instance that is new
 * @param to where it will be; empty for one that is no longer wanted
 */
public record PlacementChange(PartitionPath path, Optional<NodeId> from, Optional<NodeId> to) {

    public PlacementChange {
        Objects.requireNonNull(path, "path");
        if (from.isEmpty() && to.isEmpty()) {
            throw new IllegalArgumentException("a change of " + path + " must name a node that it leaves or comes to");
        }
    }
}

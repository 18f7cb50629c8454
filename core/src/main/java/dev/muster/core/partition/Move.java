package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.Objects;

/**
 * One instance of a partition that should be somewhere else.
 *
 * @param reason why, in a plain sentence for whoever looks at the plan
 */
public record Move(PartitionPath path, NodeId from, NodeId to, String reason) {

    public Move {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
        Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String toString() {
        return path + " from " + from + " to " + to + ": " + reason;
    }
}

package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.Objects;

/** A user's wish that an instance of a partition should move. */
public record Migration(PartitionPath path, NodeId from, NodeId to) {

    public Migration {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(from, "from");
        Objects.requireNonNull(to, "to");
    }
}

package dev.muster.cluster;

import dev.muster.actor.Behavior;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * An actor that belongs to the cluster rather than to a node: it has a path, and runs where the partition table says,
 * in as many instances as are wanted. When a host is removed, its instances start on other nodes, anew.
 *
 * @param behavior made anew for each instance
 */
public record Partition<M>(PartitionPath path, Supplier<Behavior<M>> behavior, PartitionSpec spec) {
    public Partition {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(behavior, "behavior");
        Objects.requireNonNull(spec, "spec");
    }

    /** With one instance, which may be on any node of Muster. */
    public static <M> Partition<M> at(String path, Supplier<Behavior<M>> behavior) {
        return new Partition<>(new PartitionPath(path), behavior, new PartitionSpec(1, "", HandoffPolicy.stateless()));
    }

    /** How many instances there are to be, each on another node; fewer if there are not enough nodes. */
    public Partition<M> instances(int count) {
        return new Partition<>(path, behavior, new PartitionSpec(count, spec.role(), spec.policy()));
    }

    /** Only members with this role host it. */
    public Partition<M> role(String role) {
        return new Partition<>(path, behavior, new PartitionSpec(spec.instances(), role, spec.policy()));
    }
}

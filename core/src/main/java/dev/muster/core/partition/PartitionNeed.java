package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a partition should have: how many instances, on nodes of which role.
 *
 * @param role only members with this role may host it; empty when any may
 * @param without these may not host it now, whatever their roles
 */
public record PartitionNeed(PartitionPath path, int instances, String role, SortedSet<NodeId> without) {
    public static final String ANY_ROLE = "";

    public PartitionNeed {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(role, "role");
        without = Collections.unmodifiableSortedSet(new TreeSet<>(without));
        if (instances < 0) {
            throw new IllegalArgumentException("instances of " + path + " must not be negative, was " + instances);
        }
    }

    public PartitionNeed(PartitionPath path, int instances) {
        this(path, instances, ANY_ROLE);
    }

    public PartitionNeed(PartitionPath path, int instances, String role) {
        this(path, instances, role, Collections.emptySortedSet());
    }
}

package dev.muster.core.partition;

import dev.muster.core.state.PartitionPath;
import java.util.Objects;

/**
 * What a partition should have: how many instances, on nodes of which role.
 *
 * @param role only members with this role may host it; empty when any may
 */
public record PartitionNeed(PartitionPath path, int instances, String role) {
    public static final String ANY_ROLE = "";

    public PartitionNeed {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(role, "role");
        if (instances < 0) {
            throw new IllegalArgumentException("instances of " + path + " must not be negative, was " + instances);
        }
    }

    public PartitionNeed(PartitionPath path, int instances) {
        this(path, instances, ANY_ROLE);
    }
}

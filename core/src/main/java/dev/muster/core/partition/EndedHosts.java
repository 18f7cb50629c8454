package dev.muster.core.partition;

import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.List;
import java.util.TreeMap;

/**
 * Where those were that ended and must be alone. They may still be at their last message, of which no row tells; one
 * that is wanted again waits for that in the same place.
 *
 * <p>Every node notes it when it learns of the end, so that the next leader knows it too. Whoever came later does not.
 */
final class EndedHosts {
    private final TreeMap<PartitionPath, List<NodeId>> hosts = new TreeMap<>();

    /** @param before what was known of the partition; null for nothing */
    void follow(PartitionEntry before, PartitionEntry now) {
        if (now.isDeleted() && before != null && before.spec().policy().isExclusive()) {
            if (!before.instances().isEmpty()) {
                hosts.put(now.path(), before.instances());
            }
        } else if (!now.instances().isEmpty()) {
            hosts.remove(now.path());
        }
    }

    /** Who has gone is at nothing any more, or is waited for like any lost host. */
    void forgetGone(Members members) {
        hosts.values().removeIf(all -> all.stream().noneMatch(members::has));
    }

    /** Nobody, if it was not there, or has begun again. */
    List<NodeId> of(PartitionPath path) {
        return hosts.getOrDefault(path, List.of());
    }
}

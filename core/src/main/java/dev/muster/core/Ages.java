package dev.muster.core;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Since when this node has held what it holds; only for explanations. */
final class Ages {
    private final TreeMap<NodeId, TreeMap<NodeId, Long>> accusedSinceNanos = new TreeMap<>();
    private long versionSinceNanos;

    void follow(ClusterState before, ClusterState after, long nowNanos) {
        if (before.version() != after.version()) {
            versionSinceNanos = nowNanos;
        }
        if (before.reachability() != after.reachability()) {
            followAccusations(after, nowNanos);
        }
    }

    private void followAccusations(ClusterState state, long nowNanos) {
        TreeMap<NodeId, TreeMap<NodeId, Long>> known = new TreeMap<>(accusedSinceNanos);
        accusedSinceNanos.clear();
        for (ReachabilityRow row : state.reachability().rows()) {
            for (ReachabilityRow.Observation record : row.records()) {
                TreeMap<NodeId, Long> sinceByObserver = known.getOrDefault(record.subject(), new TreeMap<>());
                accusedSinceNanos
                        .computeIfAbsent(record.subject(), subject -> new TreeMap<>())
                        .put(row.observer(), sinceByObserver.getOrDefault(row.observer(), nowNanos));
            }
        }
    }

    long versionSinceNanos() {
        return versionSinceNanos;
    }

    OptionalLong accusedSinceNanos(NodeId observer, NodeId subject) {
        Long since = accusedSinceNanos.getOrDefault(subject, new TreeMap<>()).get(observer);
        return since == null ? OptionalLong.empty() : OptionalLong.of(since);
    }
}

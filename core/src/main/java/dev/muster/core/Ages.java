package dev.muster.core;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import java.util.OptionalLong;
import java.util.TreeMap;

/** Since when this node has held what it holds; only for explanations. */
final class Ages {
    private final TreeMap<NodeId, Accusations> byObserver = new TreeMap<>();
    private long versionSinceNanos;

    void follow(ClusterState before, ClusterState after, long nowNanos) {
        if (before.version() != after.version()) {
            versionSinceNanos = nowNanos;
        }
        if (before.reachability() != after.reachability()) {
            followAccusations(after, nowNanos);
        }
        if (before.members() != after.members() && !byObserver.isEmpty()) {
            byObserver.keySet().removeIf(observer -> !after.members().has(observer));
        }
    }

    /** Only rows that are other objects than before can say something else. */
    private void followAccusations(ClusterState state, long nowNanos) {
        for (ReachabilityRow row : state.reachability().rows()) {
            Accusations known = byObserver.get(row.observer());
            if (known == null || known.row() != row) {
                TreeMap<NodeId, Long> since = new TreeMap<>();
                for (ReachabilityRow.Observation record : row.records()) {
                    Long before = known == null ? null : known.sinceNanos().get(record.subject());
                    since.put(record.subject(), before == null ? nowNanos : before);
                }
                byObserver.put(row.observer(), new Accusations(row, since));
            }
        }
    }

    private record Accusations(ReachabilityRow row, TreeMap<NodeId, Long> sinceNanos) {}

    long versionSinceNanos() {
        return versionSinceNanos;
    }

    OptionalLong accusedSinceNanos(NodeId observer, NodeId subject) {
        Accusations known = byObserver.get(observer);
        Long since = known == null ? null : known.sinceNanos().get(subject);
        return since == null ? OptionalLong.empty() : OptionalLong.of(since);
    }
}

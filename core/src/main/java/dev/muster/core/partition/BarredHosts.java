package dev.muster.core.partition;

import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Nodes on which an instance could not be started, or to which a move failed: while somebody else can host it, they are
 * left alone for a while, each time twice as long. Only whoever leads knows them; the next leader learns it in the same
 * way.
 */
final class BarredHosts {
    static final long FIRST_NANOS = 10_000_000_000L;
    static final long LONGEST_NANOS = 600_000_000_000L;

    record Bar(String why, long untilNanos, long nanos) {}

    private final TreeMap<PartitionPath, TreeMap<NodeId, Bar>> bars = new TreeMap<>();

    /** What is said again while it counts changes nothing. Returns whether it is news. */
    boolean add(PartitionPath path, NodeId node, String why, long nowNanos) {
        TreeMap<NodeId, Bar> ofPath = bars.computeIfAbsent(path, it -> new TreeMap<>());
        Bar before = ofPath.get(node);
        if (before != null && nowNanos < before.untilNanos) {
            return false;
        }
        long nanos = before == null ? FIRST_NANOS : Math.min(LONGEST_NANOS, 2 * before.nanos);
        ofPath.put(node, new Bar(why, nowNanos + nanos, nanos));
        return true;
    }

    /** Returns whether that is news. */
    boolean remove(PartitionPath path, NodeId node) {
        TreeMap<NodeId, Bar> ofPath = bars.get(path);
        return ofPath != null && ofPath.remove(node) != null;
    }

    SortedSet<NodeId> of(PartitionPath path, long nowNanos) {
        return bars.containsKey(path) ? new TreeSet<>(barsOf(path, nowNanos).keySet()) : Collections.emptySortedSet();
    }

    /** Why, and until when. */
    SortedMap<NodeId, Bar> barsOf(PartitionPath path, long nowNanos) {
        TreeMap<NodeId, Bar> that = new TreeMap<>(bars.getOrDefault(path, new TreeMap<>()));
        that.values().removeIf(bar -> nowNanos >= bar.untilNanos);
        return that;
    }

    Optional<String> whyNot(PartitionPath path, NodeId node) {
        return Optional.ofNullable(bars.get(path)).map(nodes -> nodes.get(node)).map(Bar::why);
    }

    /** Whoever has been well for long begins anew. */
    void forgetOld(Members members, long nowNanos) {
        if (!bars.isEmpty()) {
            bars.values()
                    .forEach(nodes -> nodes.entrySet()
                            .removeIf(it ->
                                    !members.has(it.getKey()) || nowNanos - it.getValue().untilNanos >= LONGEST_NANOS));
            bars.values().removeIf(TreeMap::isEmpty);
        }
    }

    void forget() {
        bars.clear();
    }

    /** When the next one may be tried again. */
    long nextOverNanos(long nowNanos) {
        return bars.values().stream()
                .flatMap(nodes -> nodes.values().stream())
                .mapToLong(Bar::untilNanos)
                .filter(until -> until > nowNanos)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}

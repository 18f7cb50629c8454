package dev.muster.core.state;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The nodes that were removed and must never come back, each with the wall-clock time that its remover noted.
 *
 * <p>The stamp is for people and for the wire only: clocks jump, so how long a tombstone is kept is counted from its
 * receipt on the monotonic clock of whoever leads (see {@code TombstoneKeeper}).
 */
public final class Tombstones {
    public static final Tombstones NONE = new Tombstones(new NodeId[0], new long[0]);

    private final NodeId[] ids; // sorted
    private final long[] stampsMillis;

    private Tombstones(NodeId[] ids, long[] stampsMillis) {
        this.ids = ids;
        this.stampsMillis = stampsMillis;
    }

    public static Tombstones of(SortedMap<NodeId, Long> stamps) {
        NodeId[] ids = stamps.keySet().toArray(new NodeId[0]);
        long[] millis = stamps.values().stream().mapToLong(Long::longValue).toArray();
        return ids.length == 0 ? NONE : new Tombstones(ids, millis);
    }

    public int size() {
        return ids.length;
    }

    public boolean isEmpty() {
        return ids.length == 0;
    }

    public List<NodeId> ids() {
        return List.of(ids);
    }

    public boolean has(NodeId id) {
        return ids.length != 0 && Arrays.binarySearch(ids, id) >= 0;
    }

    /** When the node was removed, by the remover's wall clock; 0 when there is no such tombstone. */
    public long stampMillisOf(NodeId id) {
        int at = Arrays.binarySearch(ids, id);
        return at < 0 ? 0 : stampsMillis[at];
    }

    public Tombstones with(NodeId id, long stampMillis) {
        TreeMap<NodeId, Long> changed = asMap();
        changed.merge(id, stampMillis, Math::max);
        return of(changed);
    }

    public Tombstones without(List<NodeId> expired) {
        TreeMap<NodeId, Long> changed = asMap();
        expired.forEach(changed::remove);
        return of(changed);
    }

    /** All tombstones of both sides, with the later stamp where both have one. */
    Tombstones union(Tombstones other) {
        if (this == other || other.isEmpty() || equals(other)) {
            return this;
        }
        if (isEmpty()) {
            return other;
        }
        TreeMap<NodeId, Long> merged = asMap();
        for (Map.Entry<NodeId, Long> entry : other.asMap().entrySet()) {
            merged.merge(entry.getKey(), entry.getValue(), Math::max);
        }
        Tombstones union = of(merged);
        return union.equals(this) ? this : union.equals(other) ? other : union;
    }

    private TreeMap<NodeId, Long> asMap() {
        TreeMap<NodeId, Long> map = new TreeMap<>();
        for (int i = 0; i < ids.length; i++) {
            map.put(ids[i], stampsMillis[i]);
        }
        return map;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Tombstones that
                        && Arrays.equals(stampsMillis, that.stampsMillis)
                        && Arrays.equals(ids, that.ids);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ids) * 31 + Arrays.hashCode(stampsMillis);
    }

    @Override
    public String toString() {
        return Arrays.toString(ids);
    }
}

package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Knows since when this node has held each tombstone, so that the leader can let go of old ones.
 *
 * <p>Age is counted from receipt on the monotonic clock, never from the stamp: a wall clock that jumps must neither
 * revive a member nor keep a tombstone for ever.
 */
public final class TombstoneKeeper {
    private final long retentionNanos;
    private final TreeMap<NodeId, Long> heldSinceNanos = new TreeMap<>();

    public TombstoneKeeper(LifecycleSettings settings) {
        this.retentionNanos = settings.tombstoneRetention().toNanos();
    }

    public void follow(ClusterState before, ClusterState after, long nowNanos) {
        if (before.tombstones() == after.tombstones()) {
            return;
        }
        heldSinceNanos.keySet().removeIf(id -> !after.tombstones().has(id));
        for (NodeId id : after.tombstones().ids()) {
            heldSinceNanos.putIfAbsent(id, nowNanos);
        }
    }

    /** Tombstones that have been held long enough. */
    public List<NodeId> expired(long nowNanos) {
        List<NodeId> expired = new ArrayList<>();
        for (Map.Entry<NodeId, Long> entry : heldSinceNanos.entrySet()) {
            if (nowNanos - entry.getValue() >= retentionNanos) {
                expired.add(entry.getKey());
            }
        }
        return expired;
    }

    /** When the oldest one will have been held long enough. */
    public long nextExpiryNanos() {
        long next = Long.MAX_VALUE;
        for (long since : heldSinceNanos.values()) {
            next = Math.min(next, since + retentionNanos);
        }
        return next;
    }

    /** Letting go is safe only when every member has seen the version, those that are not up yet included. */
    public static boolean everybodyHasSeen(ClusterState state) {
        return state.seen().count() == state.members().size();
    }
}

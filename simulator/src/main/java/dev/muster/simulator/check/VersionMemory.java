package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.VectorClock;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is really known about every version that any node ever held: its content, who processed it, who acted on it.
 *
 * <p>Nodes believe in seen sets; this is what seen sets are checked against. Old versions are forgotten, the longest
 * unused first, so that long runs of large worlds fit in memory. One that is met again after that is known to be
 * incomplete: it proves nothing against anybody.
 */
final class VersionMemory {
    /** The truth about one version. */
    static final class Entry {
        /** The first state in which the version was met; later ones must have the same content. */
        final ClusterState state;

        /** Whether everything about the version is here, from its first appearance on. */
        final boolean isComplete;

        private final BitSet processedBy = new BitSet();
        /** Who performed a leader action on it; null when nobody did. */
        NodeId actor;
        /** Whom the first converged holder named as leader; null when nobody was asked. */
        NodeId namedLeader;

        private Entry(ClusterState state, boolean isComplete) {
            this.state = state;
            this.isComplete = isComplete;
        }

        boolean wasProcessedBy(NodeView node) {
            return processedBy.get(node.number());
        }

        int processors() {
            return processedBy.cardinality();
        }
    }

    private static final int ROWS_KEPT = 4_000_000;

    private int widest = 1;
    private final BitSet forgotten = new BitSet(); // by some bits of the hash; a wrong yes costs a check

    private final Map<VectorClock, Entry> entries = new LinkedHashMap<>(1024, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<VectorClock, Entry> eldest) {
            boolean isOneTooMany = size() > Math.max(500, Math.min(50_000, ROWS_KEPT / widest));
            if (isOneTooMany) {
                forgotten.set(fingerprint(eldest.getKey()));
            }
            return isOneTooMany;
        }
    };

    /** The entry of a version, or null when no node ever held it (or too long ago). */
    Entry find(VectorClock version) {
        return entries.get(version);
    }

    Entry findOrAdd(ClusterState state) {
        Entry entry = entries.get(state.version());
        if (entry == null) {
            entry = new Entry(state, !forgotten.get(fingerprint(state.version())));
            widest = Math.max(widest, state.members().size());
            entries.put(state.version(), entry);
        }
        return entry;
    }

    private static int fingerprint(VectorClock version) {
        int hash = version.hashCode() * 0x9E3779B9;
        return hash >>> 8;
    }

    void processed(ClusterState state, NodeView by) {
        findOrAdd(state).processedBy.set(by.number());
    }
}

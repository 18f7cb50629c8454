package dev.muster.core.handoff;

import dev.muster.core.state.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages for a node that does not host the partition, as far as it knows. Whoever sent them may have heard of a row
 * that this node has not, so they wait for a moment before they are passed on.
 *
 * @param <M> a message of users
 */
final class Strays<M> {
    static final long PATIENCE_NANOS = 500_000_000L;
    /** While nobody hosts the partition, as far as is known here: whoever sent them knew of somebody. */
    static final long LONG_PATIENCE_NANOS = 10_000_000_000L;

    record Stray<M>(NodeId sender, M message, int hops) {}

    private final Waiting<M> waiting;
    private final ArrayDeque<Stray<M>> strays = new ArrayDeque<>();
    private long sinceNanos;
    private long dueNanos = Long.MAX_VALUE;

    Strays(Waiting<M> waiting) {
        this.waiting = waiting;
    }

    void add(NodeId sender, M message, int hops, long nowNanos) {
        if (waiting.admit(message)) {
            if (strays.isEmpty()) {
                sinceNanos = nowNanos;
                dueNanos = nowNanos + PATIENCE_NANOS;
            }
            strays.addLast(new Stray<>(sender, message, hops));
        }
    }

    /** All of them, in the order in which they came; none is left. */
    List<Stray<M>> take() {
        List<Stray<M>> all = new ArrayList<>(strays);
        strays.clear();
        dueNanos = Long.MAX_VALUE;
        all.forEach(stray -> waiting.released(stray.message()));
        return all;
    }

    /** Whether they may wait a little longer; if so, they do. */
    boolean waitOn(long nowNanos) {
        boolean mayWait = nowNanos - sinceNanos < LONG_PATIENCE_NANOS;
        if (mayWait) {
            dueNanos = nowNanos + PATIENCE_NANOS;
        }
        return mayWait;
    }

    boolean isEmpty() {
        return strays.isEmpty();
    }

    void addTo(List<M> all) {
        strays.forEach(stray -> all.add(stray.message()));
    }

    /** When they have waited long enough. */
    long dueNanos() {
        return dueNanos;
    }
}

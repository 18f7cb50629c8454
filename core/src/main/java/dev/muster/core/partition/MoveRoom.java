package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many more moves may begin: in all, and to each host.
 *
 * <p>Nobody gets more at once than it has already, and one more. A host that has just started knows nothing by heart
 * yet, and whatever arrives first waits for that; so the first one comes alone, and while it does the others still
 * answer where they are. If it cannot start there, only that one has tried. Twice as many can come each time after.
 */
final class MoveRoom {
    private final Map<NodeId, Integer> toEach = new TreeMap<>();
    private int inAll;

    MoveRoom(Collection<RowDraft> drafts, int mostParallel) {
        inAll = mostParallel;
        for (RowDraft draft : drafts) {
            draft.instances.forEach(host -> toEach.merge(host, 1, Integer::sum));
            draft.pending().ifPresent(move -> {
                toEach.merge(move.to(), -1, Integer::sum);
                inAll--;
            });
        }
    }

    boolean isEmpty() {
        return inAll <= 0;
    }

    /** Whether one more may begin to that host; if so, it counts from now on. */
    boolean take(NodeId to) {
        int before = toEach.getOrDefault(to, 0);
        if (isEmpty() || before < 0) {
            return false;
        }
        toEach.put(to, before - 1);
        inAll--;
        return true;
    }
}

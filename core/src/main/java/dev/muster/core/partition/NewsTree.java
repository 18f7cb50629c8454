package dev.muster.core.partition;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * Who tells whom when a leader has written rows. The leader tells many, and each of these a few more, so that everybody
 * is told once: there is one order, that of the members from the leader on, and in it each has its place.
 *
 * <p>With random partners some would hear of it five times and some never, and the leader would wait for these with the
 * next row. Whoever is left out here, because a message was lost or members are not agreed on, is asked by the leader.
 */
final class NewsTree {
    /** So many are told by the writer; in larger clusters they pass it on. */
    static final int TOLD_BY_WRITER = 32;

    static final int TOLD_BY_OTHERS = 3;

    private NewsTree() {}

    /** Whom this node is to tell of what that one has written. */
    static List<NodeId> next(ClusterState state, NodeId writer, NodeId self) {
        List<NodeId> order = new ArrayList<>();
        for (Member member : state.members()) {
            if (TableMembers.counts(member) || member.id().equals(writer)) {
                order.add(member.id());
            }
        }
        if (order.isEmpty()) {
            return order;
        }
        int root = order.indexOf(writer);
        if (self.equals(writer)) {
            return part(order, root, 1, TOLD_BY_WRITER);
        }
        int from = Math.max(0, root); // the tree of one who has gone begins somewhere, and with all alike
        int place = Math.floorMod(order.indexOf(self) - from, order.size());
        return part(order, from, 1 + TOLD_BY_WRITER + (place - 1) * TOLD_BY_OTHERS, TOLD_BY_OTHERS);
    }

    private static List<NodeId> part(List<NodeId> order, int root, int first, int count) {
        List<NodeId> part = new ArrayList<>();
        for (int place = first; place < Math.min(order.size(), first + count); place++) {
            part.add(order.get((root + place) % order.size()));
        }
        return part;
    }
}

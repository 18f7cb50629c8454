package dev.muster.simulator.check;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.VectorClock;

/**
 * The order in which knowledge grows: whether one state knows everything that another one knows.
 *
 * <p>Per member: unknown, then further along its life, then a tombstone, then a tombstone that was let go. Up numbers
 * only go down, rows of reachability only to higher versions.
 */
final class StateOrder {
    private final History history;

    StateOrder(History history) {
        this.history = history;
    }

    /** What the larger state lacks of the smaller one, as a phrase; empty when it lacks nothing. */
    String lacks(ClusterState smaller, ClusterState larger) {
        if (smaller == larger || smaller.sameContentAs(larger)) {
            return "";
        }
        String lacking = lacksMember(smaller, larger);
        if (lacking.isEmpty() && smaller.tombstones() != larger.tombstones()) {
            lacking = lacksTombstone(smaller, larger);
        }
        if (lacking.isEmpty() && smaller.reachability() != larger.reachability()) {
            lacking = lacksRow(smaller, larger);
        }
        return lacking;
    }

    private String lacksMember(ClusterState smaller, ClusterState larger) {
        for (MemberChange change : MemberDifference.between(smaller.members(), larger.members())) {
            if (change.isRemoval() && !isKnownAsRemoved(change.id(), larger)) {
                return "the row of " + change.before();
            }
            if (!change.isNew() && !change.isRemoval() && isBehind(change.after(), change.before())) {
                return change.before() + " with up number " + change.before().upNumber() + " (has " + change.after()
                        + " with " + change.after().upNumber() + ")";
            }
        }
        return "";
    }

    private static boolean isBehind(Member row, Member than) {
        return than.status().isFurtherThan(row.status()) || row.upNumber() > than.upNumber();
    }

    private boolean isKnownAsRemoved(NodeId id, ClusterState state) {
        return state.tombstones().has(id) || history.wasLetGo(id);
    }

    private String lacksTombstone(ClusterState smaller, ClusterState larger) {
        for (NodeId id : smaller.tombstones().ids()) {
            boolean forgotten = !larger.tombstones().has(id) && !history.wasLetGo(id);
            if (forgotten || larger.members().has(id)) {
                return "the tombstone of " + id;
            }
        }
        return "";
    }

    private static String lacksRow(ClusterState smaller, ClusterState larger) {
        for (ReachabilityRow row : smaller.reachability().rows()) {
            long has = larger.reachability().versionOf(row.observer());
            if (has < row.version() && larger.members().has(row.observer())) {
                return "what " + row.observer() + " said as number " + row.version() + " (has number " + has + ")";
            }
        }
        return "";
    }

    /** The first entry in which a clock went back although its node is still a member, as a phrase; else empty. */
    static String clockWentBack(ClusterState earlier, ClusterState later) {
        VectorClock before = earlier.version();
        if (before == later.version()) {
            return "";
        }
        for (Member member : earlier.members()) {
            String key = member.id().clockKey();
            long had = before.counterOf(key);
            if (had > later.version().counterOf(key) && later.members().has(member.id())) {
                return "the clock entry of " + member.id() + " from " + had + " to "
                        + later.version().counterOf(key);
            }
        }
        return "";
    }
}

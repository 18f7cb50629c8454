package dev.muster.core;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;

/**
 * What must hold between two successive states of one node, checked always and everywhere. A node that breaks one of
 * these has a bug and must not go on: it throws, and the shell stops the node.
 */
final class ClusterInvariants {
    private ClusterInvariants() {}

    static void verify(NodeId self, ClusterState before, ClusterState after) {
        if (before.version() == after.version()) {
            return;
        }
        if (before.members() != after.members()) {
            verifyLives(before, after);
        }
        if (after.version().counterOf(self.clockKey()) < before.version().counterOf(self.clockKey())
                && after.members().has(self)) {
            throw new IllegalStateException(
                    "own clock entry went back from " + before.version() + " to " + after.version());
        }
        if (after.members().has(self) && !after.isSeenBy(self)) {
            throw new IllegalStateException(self + " holds " + after.version() + " and has not seen it");
        }
    }

    private static void verifyLives(ClusterState before, ClusterState after) {
        int j = 0;
        for (Member was : before.members()) {
            while (j < after.members().size() && after.members().get(j).compareTo(was) < 0) {
                j++;
            }
            boolean stillThere =
                    j < after.members().size() && after.members().get(j).id().equals(was.id());
            if (stillThere && !was.status().mayBecome(after.members().get(j).status())) {
                throw new IllegalStateException(
                        was + " became " + after.members().get(j));
            }
            if (!stillThere && !after.tombstones().has(was.id())) {
                throw new IllegalStateException(was + " vanished without a tombstone");
            }
        }
        for (NodeId removed : before.tombstones().ids()) {
            if (after.members().has(removed)) {
                throw new IllegalStateException("removed node " + removed + " came back");
            }
        }
    }
}

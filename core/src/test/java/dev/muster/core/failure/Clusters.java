package dev.muster.core.failure;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.Arrays;
import java.util.List;

/** Small clusters for tests. The uid of a node is its place on the ring, as long as it is a small positive number. */
final class Clusters {
    private Clusters() {}

    static NodeId node(String host, long uid) {
        return new NodeId(new NodeAddress("muster", "test", host, 2552), uid);
    }

    static NodeId node(long uid) {
        return node("n" + uid, uid);
    }

    static Members members(NodeId... ids) {
        return Members.of(Arrays.stream(ids).map(Clusters::up).toList());
    }

    static ClusterState cluster(NodeId... ids) {
        return cluster(members(ids));
    }

    static ClusterState cluster(Members members) {
        return ClusterState.of(members, Tombstones.NONE, Reachability.ALL_REACHABLE, VectorClock.EMPTY, SeenSet.NOBODY);
    }

    static Member up(NodeId id) {
        return new Member(id, MemberStatus.UP, 1, List.of(), Member.DEFAULT_APP_VERSION);
    }

    static Member down(NodeId id) {
        return new Member(id, MemberStatus.DOWN, 1, List.of(), Member.DEFAULT_APP_VERSION);
    }
}

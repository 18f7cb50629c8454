package dev.muster.core.partition;

import dev.muster.core.membership.Leader;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.Optional;

/**
 * Who has a partition table: members that run Muster. Others may be in the cluster, see nothing of it, and host
 * nothing.
 */
public final class TableMembers {
    private TableMembers() {}

    /** Whether this member has the table and must be waited for. */
    public static boolean counts(Member member) {
        return member.isMuster() && member.status() != MemberStatus.DOWN;
    }

    /** Who writes the table: the rule for the leader, applied to those that have one. */
    public static Optional<NodeId> leader(ClusterState state, NodeId self) {
        return Leader.among(state, self, Member::isMuster);
    }
}

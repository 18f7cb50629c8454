package dev.muster.core.partition;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionTable;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Tells those who host partitions here, or send to them, what has changed: first who is there, then the rows. */
final class TableFollower {
    private final NodeId self;
    private PartitionTable table = PartitionTable.EMPTY;
    private Members members = Members.of(List.of());
    private SortedSet<NodeId> unreachable = new TreeSet<>();

    TableFollower(NodeId self) {
        this.self = self;
    }

    void follow(ClusterState state, PartitionTable next, Effects effects) {
        if (state.members() != members || !unreachable.equals(state.unreachable())) {
            members = state.members();
            unreachable = new TreeSet<>(state.unreachable());
            TreeSet<NodeId> present = new TreeSet<>();
            for (Member member : members) {
                if (member.isMuster()) {
                    present.add(member.id());
                }
            }
            effects.add(new Effect.FollowMembers(present, mayRoute(), unreachable));
        }
        if (next == table) {
            return;
        }
        PartitionTable before = table;
        table = next;
        for (PartitionEntry entry : next.newSince(before)) {
            effects.publish(new ClusterEvent.PartitionChanged(entry));
            effects.add(new Effect.FollowRow(entry));
        }
    }

    /**
     * Whoever is only joining may not be known to the hosts of a partition, who would not wait for it when they move.
     */
    private boolean mayRoute() {
        return members.statusOf(self) != MemberStatus.JOINING;
    }
}

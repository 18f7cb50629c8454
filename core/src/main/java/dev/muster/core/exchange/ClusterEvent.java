package dev.muster.core.exchange;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.util.List;
import java.util.Optional;

/** What subscribers are told. */
public sealed interface ClusterEvent permits ClusterEvent.Change, ClusterEvent.Notice {

    /** A difference between two successive states of this node: folding them gives its state. */
    sealed interface Change extends ClusterEvent {}

    /** A change in one member's life. */
    sealed interface MemberEvent extends Change {
        Member member();
    }

    record MemberJoined(Member member) implements MemberEvent {}

    record MemberWeaklyUp(Member member) implements MemberEvent {}

    record MemberUp(Member member) implements MemberEvent {}

    record MemberPreparingForShutdown(Member member) implements MemberEvent {}

    record MemberReadyForShutdown(Member member) implements MemberEvent {}

    record MemberLeft(Member member) implements MemberEvent {}

    record MemberExited(Member member) implements MemberEvent {}

    record MemberDowned(Member member) implements MemberEvent {}

    /** {@code member} is its last row; {@code previousStatus} tells whether it left or was declared down. */
    record MemberRemoved(Member member, MemberStatus previousStatus) implements MemberEvent {}

    record UnreachableMember(Member member) implements Change {}

    record ReachableMember(Member member) implements Change {}

    record LeaderChanged(Optional<NodeId> leader) implements Change {}

    record RoleLeaderChanged(String role, Optional<NodeId> leader) implements Change {}

    /** A row of the partition table is new, or another one than before. */
    record PartitionChanged(PartitionEntry entry) implements Change {}

    /** Something that an operator should be able to read, but that is no change of membership. */
    sealed interface Notice extends ClusterEvent {}

    /** Joining waits for seeds that do not answer, or that are no members either. Repeated while it lasts. */
    record StillJoining(List<NodeAddress> silentSeeds, int attempts) implements Notice {}

    /** This node formed a cluster of its own. */
    record ClusterFormed(String why) implements Notice {}

    /** A node was not let in, or we were not let in there. Told at both ends. */
    record JoinRefused(NodeAddress peer, List<String> reasons) implements Notice {
        public JoinRefused {
            reasons = List.copyOf(reasons);
        }
    }

    /**
     * Somebody is a member of a cluster that is not ours although it has our name: one of the two split off.
     *
     * @param givesWay whether ours is the one whose members should join the other; see {@link Island}
     */
    record IslandSuspected(NodeAddress other, String evidence, boolean givesWay) implements Notice {}

    /** A message was refused whole and changed nothing. */
    record MessageRefused(NodeId from, Refusal refusal, String detail) implements Notice {}

    /** A command was carried out on exactly this incarnation. */
    record CommandCarriedOut(Command command, NodeId target) implements Notice {}

    record CommandRefused(Command command, String reason) implements Notice {}

    /**
     * A member that leaves may go on, or goes without being let. Said by whoever lets it, and by that member itself,
     * each by its own table.
     *
     * @param left paths of what it still hosts because its time was up, because whoever leads knows nothing of
     *     partitions and did not wait, or because the member ends or was declared down before anybody could let it go;
     *     empty if it has handed over everything
     */
    record MemberDrained(Member member, List<PartitionPath> left) implements Notice {
        public MemberDrained {
            left = List.copyOf(left);
        }
    }

    /** A partition that this node has asked for will not be. */
    record PartitionRefused(PartitionPath path, String reason) implements Notice {}

    /**
     * Partitions lie inside each other, because two leaders who did not know of each other have each created one. All
     * go on until somebody ends some of them.
     */
    record PartitionsOverlap(PartitionPath outer, List<PartitionPath> inner) implements Notice {
        public PartitionsOverlap {
            inner = List.copyOf(inner);
        }
    }

    /**
     * The downing strategy, or auto-down, decided.
     *
     * @param basis the state on which it was decided: seen by all who counted as being in touch, and without
     *     accusations that were too young to count
     */
    record DowningDecided(String strategy, List<NodeId> down, String reason, ClusterState basis) implements Notice {
        public DowningDecided {
            down = List.copyOf(down);
        }

        @Override
        public String toString() {
            return "DowningDecided[strategy=" + strategy + ", down=" + down + ", reason=" + reason + "]";
        }
    }

    /** This process was held up and distrusts its own clock for a while. */
    record LocalPauseNoticed(long lateByNanos) implements Notice {}
}

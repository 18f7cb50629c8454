package dev.muster.core.exchange;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/** Everything that a core can want done. Safe to carry out in list order. */
public sealed interface Effect {

    record SendMessage(NodeAddress to, CoreMessage message) implements Effect {}

    record PublishEvent(ClusterEvent event) implements Effect {}

    /** Dial this address, and answer with {@link Input.IncarnationProved} if the process there has this uid. */
    record ProveIncarnation(NodeId newIncarnation) implements Effect {}

    /**
     * Let no message of actors pass to or from this incarnation any more. What cores say still passes, so that a node
     * which does not know of its removal can learn of it.
     */
    record QuarantinePeer(NodeId peer, String reason) implements Effect {}

    /** Finish what must be finished before leaving, then answer with {@link Input.ExitTasksDone}. */
    record RunExitTasks() implements Effect {}

    /** The table has a new row: whoever hosts this partition or sends to it has to know. */
    record FollowRow(PartitionEntry row) implements Effect {}

    /**
     * All who may send to partitions; said before any row, and again whenever they change.
     *
     * @param mayRoute whether this node may: not while it is joining, for there may be members who do not know it
     * @param unreachable those of them that somebody cannot reach: what need not go there had better not
     */
    record FollowMembers(SortedSet<NodeId> members, boolean mayRoute, SortedSet<NodeId> unreachable) implements Effect {
        public FollowMembers {
            members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
            unreachable = Collections.unmodifiableSortedSet(new TreeSet<>(unreachable));
        }
    }

    /**
     * Whether instances that must be alone may act now. They may not while this node cannot be sure that it is still a
     * member, as far as the others are concerned.
     */
    record HoldInstances(boolean held, String reason) implements Effect {}

    /** Membership is over for this incarnation; it will send nothing more. Effects before this one still count. */
    record StopNode(String reason) implements Effect {}
}

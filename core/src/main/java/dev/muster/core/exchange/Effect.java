package dev.muster.core.exchange;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;

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

    /**
     * The table puts an instance of this partition here.
     *
     * @param epoch of the row that first did so
     */
    record StartInstance(PartitionPath path, long epoch) implements Effect {}

    /** The table puts no instance of this partition here any more. */
    record StopInstance(PartitionPath path) implements Effect {}

    /** Membership is over for this incarnation; it will send nothing more. Effects before this one still count. */
    record StopNode(String reason) implements Effect {}
}

package dev.muster.core.exchange;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.TableDigest;
import java.util.List;
import java.util.Optional;

/**
 * How the partition table spreads. Only members that have one say and hear these. Each names the incarnation it is
 * meant for; any other ignores it.
 */
public sealed interface TableMessage extends CoreMessage {
    NodeId to();

    /**
     * Which table I have.
     *
     * @param wantsAnswer whether I want to know which one you have
     * @param knownTo the mark of those members of whom all are known to have this table; 0 if that is not known, or not
     *     worth saying
     */
    record TableStatus(NodeId to, TableDigest digest, boolean wantsAnswer, int knownTo) implements TableMessage {

        public TableStatus(NodeId to, TableDigest digest, boolean wantsAnswer) {
            this(to, digest, wantsAnswer, 0);
        }
    }

    /** Which table I have, part by part: send me what I lack. */
    record TableParts(NodeId to, TableDigest digest, List<Long> parts) implements TableMessage {

        public TableParts {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Rows of my table.
     *
     * @param digest of all of it
     * @param parts all of it, part by part, if you are to send me what I lack; else empty
     */
    record TableRows(NodeId to, TableDigest digest, List<PartitionEntry> rows, List<Long> parts)
            implements TableMessage {

        public TableRows {
            rows = List.copyOf(rows);
            parts = List.copyOf(parts);
        }
    }

    /** Let there be this partition. Said to the leader, again and again until the table has it. */
    record WantPartition(NodeId to, PartitionPath path, PartitionSpec spec) implements TableMessage {}

    /** Let this partition end. */
    record EndPartition(NodeId to, PartitionPath path) implements TableMessage {}

    /**
     * What became of a move that began here.
     *
     * @param failure why it cannot be; empty if it is done
     */
    record MoveReport(NodeId to, PartitionPath path, long move, String failure) implements TableMessage {}

    /**
     * The partition has ended, and my instance of it since that epoch: another one may begin anywhere. Said to the
     * leader, again and again while somebody wants the partition and it has no instance.
     *
     * @param epoch of my row when it had ended
     */
    record InstanceEnded(NodeId to, PartitionPath path, long epoch) implements TableMessage {}

    /**
     * I am a host of this partition and cannot start it: give it to somebody else.
     *
     * @param reason empty if I could not, and now can
     */
    record CannotStart(NodeId to, PartitionPath path, String reason) implements TableMessage {}

    /**
     * Let an instance of this partition move to this node. Said to the leader, again and again until the row shows it.
     *
     * @param source from where; empty if it does not matter
     * @param epoch of the row by which I want it. If you have a later one, I shall have it soon, and may have my wish
     */
    record WantMove(NodeId to, PartitionPath path, NodeAddress host, Optional<NodeAddress> source, long epoch)
            implements TableMessage {}

    /**
     * Let partitions be spread evenly. Said to the leader, again and again for a while, in case that it changes.
     *
     * @param number which of my wishes this is; it has its way once
     */
    record WantRebalance(NodeId to, long number) implements TableMessage {}

    /** I hand over all that I host, and then leave: give me nothing. Said to all, again and again until I leave. */
    record Draining(NodeId to) implements TableMessage {}

    /** Somebody wants you to leave; hand over first. */
    record PleaseLeave(NodeId to) implements TableMessage {}

    /** Why the leader will not do what was wanted. */
    record RefusedPartition(NodeId to, PartitionPath path, String reason) implements TableMessage {}
}

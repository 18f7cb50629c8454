package dev.muster.core.exchange;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.Objects;
import java.util.Optional;

/**
 * What an operator, or the application, can ask of a node. Whoever leaves something out is told so when the command is
 * made, for a node that trips over it in its own turn stops.
 *
 * <p>Specification: "User Actions".
 */
public sealed interface Command {

    /**
     * Join by the configured seed nodes. Without any, the node forms a cluster of its own.
     *
     * @param processWasMember this process was a member before, under another uid; it then forms no cluster on silence
     */
    record JoinSeeds(boolean processWasMember) implements Command {
        public JoinSeeds() {
            this(false);
        }
    }

    /** Join the cluster that the node at this address is a member of; one's own address forms a cluster. */
    record JoinTo(NodeAddress address) implements Command {
        public JoinTo {
            Objects.requireNonNull(address, "address");
        }
    }

    /** Let the member at this address leave in good order. */
    record Leave(NodeAddress address) implements Command {
        public Leave {
            Objects.requireNonNull(address, "address");
        }
    }

    /** Declare the member at this address gone. */
    record Down(NodeAddress address) implements Command {
        public Down {
            Objects.requireNonNull(address, "address");
        }
    }

    /** Let there be this partition, in the whole cluster. */
    record WantPartition(PartitionPath path, PartitionSpec spec) implements Command {
        public WantPartition {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(spec, "spec");
        }
    }

    /** Let this partition end, in the whole cluster. */
    record EndPartition(PartitionPath path) implements Command {
        public EndPartition {
            Objects.requireNonNull(path, "path");
        }
    }

    /**
     * What became of a move that begins here; from the gate, not from people.
     *
     * @param failure why it cannot be; empty if it is done
     */
    record ReportMove(PartitionPath path, long move, String failure) implements Command {
        public ReportMove {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(failure, "failure");
        }
    }

    /**
     * No instance that was here is at work any more, nor will be by what the table was in that epoch; from the gate,
     * not from people.
     */
    record ReportEnd(PartitionPath path, long epoch) implements Command {
        public ReportEnd {
            Objects.requireNonNull(path, "path");
        }
    }

    /** The instance that should be here could not be started; from the gate, not from people. */
    record ReportFailedStart(PartitionPath path, String failure) implements Command {
        public ReportFailedStart {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(failure, "failure");
        }
    }

    /**
     * Let an instance of this partition move to this node.
     *
     * @param from its host; if it is not said and there are several, the first that the row names
     */
    record Migrate(PartitionPath path, NodeAddress to, Optional<NodeAddress> from) implements Command {
        public Migrate {
            Objects.requireNonNull(path, "path");
            Objects.requireNonNull(to, "to");
            Objects.requireNonNull(from, "from");
        }

        public Migrate(PartitionPath path, NodeAddress to) {
            this(path, to, Optional.empty());
        }
    }

    /** Let partitions be spread evenly. */
    record Rebalance() implements Command {}

    /** Declare exactly this incarnation gone. */
    record DownIncarnation(NodeId id) implements Command {
        public DownIncarnation {
            Objects.requireNonNull(id, "id");
        }
    }
}

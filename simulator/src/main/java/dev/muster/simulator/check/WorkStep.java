package dev.muster.simulator.check;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.Hands;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.List;
import java.util.Optional;

/** Something that happened to a letter, an instance or a gate. */
public record WorkStep(WorldView world, NodeView node, PartitionPath path, What what) {

    public sealed interface What {}

    /** A node sent it to where its table says. */
    public record Sent(Letter letter) implements What {}

    /**
     * There is one copy of it more than before, or one fewer: with this node, or under way from it. Copies count at the
     * end of an event only; within one, the last may go before the next comes.
     *
     * @param to where it goes or went, if it is one under way
     */
    public record Copies(Letter letter, int change, Optional<NodeId> to) implements What {
        public Copies(Letter letter, int change) {
            this(letter, change, Optional.empty());
        }
    }

    /** A letter has come to this node's gate from the node that sent it. */
    public record Came(NodeId from, Letter letter) implements What {}

    /** Another gate's words, or another route's, have come to this node. */
    public record Heard(NodeId from, GateMessage<Letter> message) implements What {}

    /** The gate or the route of this node says something to another node. */
    public record Said(NodeId to, GateMessage<Letter> message) implements What {}

    /** An instance, which was created in this epoch, begins with it. */
    public record Began(Letter letter, long epoch) implements What {}

    /** The instance is done with it. */
    public record Processed(Letter letter, long epoch, InstanceState after) implements What {}

    public record DeadLetter(Letter letter, Hands.Drop why) implements What {}

    /** It was on its way to the node and will not arrive. */
    public record Lost(Letter letter, String how) implements What {}

    /** It came by the gate of a node that is no member here, to whom nobody listens in such things. */
    public record Refused(NodeId from, Letter letter) implements What {}

    /** An instance is to start here, with what the one before left, if anything. */
    public record Created(long epoch, Optional<InstanceState> state) implements What {}

    /** From now on letters are given to the instance here, which was created in this epoch. */
    public record Acts(long epoch) implements What {}

    /** It did not start. */
    public record StartFailed() implements What {}

    /**
     * An instance has ended.
     *
     * @param rest the letters that it had not come to
     */
    public record Retired(InstanceState state, boolean leftState, List<Letter> rest) implements What {}

    /** A gate has gone on in a move, begun to take part in one, or ended that. */
    public record MoveWentOn(Optional<MoveView> before, Optional<MoveView> after) implements What {}
}

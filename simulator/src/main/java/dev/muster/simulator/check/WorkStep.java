package dev.muster.simulator.check;

import dev.muster.core.handoff.Hands;
import dev.muster.core.handoff.PartitionGate.MoveView;
import dev.muster.core.state.PartitionPath;
import java.util.Optional;

/** Something that happened to a letter, an instance or a gate. */
public record WorkStep(WorldView world, NodeView node, PartitionPath path, What what) {

    public sealed interface What {}

    /** A node sent it to where its table says. */
    public record Sent(Letter letter) implements What {}

    /** An instance, which was created in this epoch, begins with it. */
    public record Began(Letter letter, long epoch) implements What {}

    /** The instance is done with it. */
    public record Processed(Letter letter, long epoch, InstanceState after) implements What {}

    public record DeadLetter(Letter letter, Hands.Drop why) implements What {}

    /** It was on its way to the node and will not arrive. */
    public record Lost(Letter letter, String how) implements What {}

    /** An instance is to start here, with what the one before left, if anything. */
    public record Created(long epoch, Optional<InstanceState> state) implements What {}

    /** It did not start. */
    public record StartFailed() implements What {}

    /**
     * An instance has ended.
     *
     * @param rest how many letters it had not come to
     */
    public record Retired(InstanceState state, boolean leftState, int rest) implements What {}

    /** A gate has gone on in a move, begun to take part in one, or ended that. */
    public record MoveWentOn(Optional<MoveView> before, Optional<MoveView> after) implements What {}
}

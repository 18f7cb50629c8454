package dev.muster.simulator.check;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.ClusterState;
import java.util.List;

/**
 * One input that one core handled, with the state it held before and after, and all that it wanted done.
 *
 * @param localNanos the node's own clock, which the core was told; the world's time is {@link WorldView#nowNanos()}
 */
public record Step(
        WorldView world,
        NodeView node,
        Input input,
        long localNanos,
        ClusterState before,
        ClusterState after,
        List<Effect> effects) {

    public boolean changedState() {
        return before != after;
    }

    public boolean changedVersion() {
        return before.version() != after.version();
    }
}

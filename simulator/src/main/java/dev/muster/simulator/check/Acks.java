package dev.muster.simulator.check;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers which nodes have said to which host that they will send nothing more to it, the specification's ack, when
 * these words arrived. Comes before those who ask, and reports nothing.
 */
final class Acks implements Checker {
    private final Map<Place, Map<NodeId, Long>> latest = new HashMap<>();

    /** A partition on a node. */
    record Place(NodeId node, PartitionPath path) {
        static Place of(WorkStep step) {
            return new Place(step.node().id(), step.path());
        }
    }

    /** Whether a node has said so to a host, about this move or a later one. */
    boolean has(Place host, NodeId sender, long move) {
        return latest.getOrDefault(host, Map.of()).getOrDefault(sender, 0L) >= move;
    }

    @Override
    public void onWork(WorkStep step) {
        if (step.what() instanceof WorkStep.Heard heard
                && heard.message() instanceof GateMessage.RouteSwitched<Letter> ack) {
            latest.computeIfAbsent(Place.of(step), it -> new HashMap<>()).merge(heard.from(), ack.move(), Math::max);
        }
    }
}

package dev.muster.core.handoff;

import dev.muster.core.state.NodeId;
import java.util.List;

/**
 * A move as one of its two hosts sees it.
 *
 * @param phase what goes on, in words
 * @param messages how many wait here, with how many bytes
 * @param waitingFor nodes that have not switched yet
 */
public record MoveView(
        long move, NodeId from, NodeId to, String phase, int messages, long bytes, List<NodeId> waitingFor) {}

package dev.muster.simulator.check;

import dev.muster.core.ClusterSettings;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.handoff.PartitionGate;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/** One process, as the all-knowing observer sees it. */
public interface NodeView {
    /** Numbers processes in the order of their start; stable for maps and traces. */
    int number();

    NodeId id();

    default NodeAddress address() {
        return id().address();
    }

    ClusterSettings settings();

    /** What its core holds now; cheap. */
    ClusterState state();

    /** Its partition table; cheap. */
    PartitionTable partitions();

    /** The whole view; costs an allocation or two. */
    ClusterSnapshot snapshot();

    /** All letters that this process holds now, wherever in it; one may be there twice. */
    default List<Letter> letters() {
        return List.of();
    }

    /** Its gates, by the path of the partition; empty if the run has no letters. */
    default SortedMap<PartitionPath, PartitionGate<Letter>> gates() {
        return Collections.emptySortedMap();
    }

    /** To which hosts it sends what is for a partition; none if the run has no partitions. */
    default List<NodeId> routeTo(PartitionPath path) {
        return List.of();
    }

    /** Whether its core has told it to let instances that must be alone rest. */
    default boolean isHeld() {
        return false;
    }

    /** Whether it goes although somebody waited for something from it, because it may not wait for longer. */
    default boolean isCutShort() {
        return false;
    }

    /** Running: neither crashed nor stopped by itself. A paused process is running. */
    boolean isRunning();

    boolean isPaused();

    /** A hostile peer of the fault injector, not one of our cores. */
    boolean isHostile();

    /** World time of its start. */
    long startedAtNanos();

    /** Its own clock at the present world time. */
    long localNanos();
}

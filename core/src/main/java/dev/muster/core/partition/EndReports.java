package dev.muster.core.partition;

import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Which instances of this node are gone that had to end with their partitions. Whoever leads is told when a partition
 * is wanted again and has nobody: it may be waiting for just that, and no row tells.
 */
final class EndReports {
    static final long TELL_AGAIN_NANOS = 500_000_000L;

    /** By which epoch each of them was gone. */
    private final TreeMap<PartitionPath, Long> ended = new TreeMap<>();

    private boolean isAnyAwaited;
    private NodeId told;
    private long nextTellNanos = Long.MIN_VALUE;

    void add(PartitionPath path, long epoch) {
        ended.merge(path, epoch, Math::max);
        nextTellNanos = Long.MIN_VALUE;
    }

    /** What to say to the leader now, if it is time to. */
    List<TableMessage.InstanceEnded> due(PartitionTable table, NodeId leader, long nowNanos) {
        if (ended.isEmpty()) {
            isAnyAwaited = false;
            return List.of();
        }
        ended.keySet().removeIf(path -> hasBegun(table.row(path)));
        List<TableMessage.InstanceEnded> awaited = new ArrayList<>();
        ended.forEach((path, epoch) -> {
            if (table.find(path).isPresent()) {
                awaited.add(new TableMessage.InstanceEnded(leader, path, epoch));
            }
        });
        boolean isNews = !isAnyAwaited || !leader.equals(told);
        isAnyAwaited = !awaited.isEmpty();
        if (awaited.isEmpty() || !isNews && nowNanos < nextTellNanos) {
            return List.of();
        }
        told = leader;
        nextTellNanos = nowNanos + TELL_AGAIN_NANOS;
        return awaited;
    }

    /** Somewhere, so nobody waits for this node any more. */
    private static boolean hasBegun(PartitionEntry row) {
        return row != null && !row.instances().isEmpty();
    }

    long nextWakeUpNanos() {
        return isAnyAwaited ? nextTellNanos : Long.MAX_VALUE;
    }
}

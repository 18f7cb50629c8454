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

    /** What somebody waits for by this table; looked for again only when something is new. */
    private final TreeMap<PartitionPath, Long> awaited = new TreeMap<>();

    private PartitionTable lookedAt;
    private NodeId told;
    private long nextTellNanos = Long.MIN_VALUE;

    void add(PartitionPath path, long epoch) {
        ended.merge(path, epoch, Math::max);
        lookedAt = null;
    }

    /** What to say to the leader now, if it is time to. */
    List<TableMessage.InstanceEnded> due(PartitionTable table, NodeId leader, long nowNanos) {
        if (ended.isEmpty()) {
            return List.of();
        }
        boolean isNews = look(table) || !leader.equals(told);
        if (awaited.isEmpty() || !isNews && nowNanos < nextTellNanos) {
            return List.of();
        }
        told = leader;
        nextTellNanos = nowNanos + TELL_AGAIN_NANOS;
        List<TableMessage.InstanceEnded> due = new ArrayList<>();
        awaited.forEach((path, epoch) -> due.add(new TableMessage.InstanceEnded(leader, path, epoch)));
        return due;
    }

    /** Returns whether somebody waits for other ones than before. */
    private boolean look(PartitionTable table) {
        if (table == lookedAt) {
            return false;
        }
        lookedAt = table;
        TreeMap<PartitionPath, Long> before = new TreeMap<>(awaited);
        awaited.clear();
        ended.keySet().removeIf(path -> hasBegun(table.row(path)));
        ended.forEach((path, epoch) -> {
            if (table.find(path).isPresent()) {
                awaited.put(path, epoch);
            }
        });
        return !awaited.equals(before);
    }

    /** Somewhere, so nobody waits for this node any more. */
    private static boolean hasBegun(PartitionEntry row) {
        return row != null && !row.instances().isEmpty();
    }

    long nextWakeUpNanos() {
        return awaited.isEmpty() ? Long.MAX_VALUE : nextTellNanos;
    }
}

package dev.muster.core.partition;

import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which instances of this node are gone that had to end with their partitions. Whoever leads is told when a partition
 * is wanted again and has nobody: it may be waiting for just that, and no row tells.
 */
final class EndReports {
    static final long TELL_AGAIN_NANOS = 500_000_000L;

    /** By which epoch each of them was gone. */
    private final TreeMap<PartitionPath, Long> ended = new TreeMap<>();

    /** Those of which nothing is known yet but that they are gone: ten thousand may have come before. */
    private final TreeSet<PartitionPath> added = new TreeSet<>();

    /** What somebody waits for by this table; all is looked for again only when there is another one. */
    private final TreeSet<PartitionPath> awaited = new TreeSet<>();

    /** Those of which nothing was said yet. The others wait until it is time again. */
    private final TreeSet<PartitionPath> unsaid = new TreeSet<>();

    private PartitionTable lookedAt;
    private NodeId told;
    private long nextTellNanos = Long.MIN_VALUE;

    void add(PartitionPath path, long epoch) {
        Long before = ended.get(path);
        if (before == null || before < epoch) {
            ended.put(path, epoch);
            added.add(path);
        }
    }

    /** What to say to the leader now, if it is time to. */
    List<TableMessage.InstanceEnded> due(PartitionTable table, NodeId leader, long nowNanos) {
        look(table);
        if (awaited.isEmpty()) {
            return List.of();
        }
        boolean isAll = nowNanos >= nextTellNanos || !leader.equals(told);
        List<TableMessage.InstanceEnded> due = new ArrayList<>();
        for (PartitionPath path : isAll ? awaited : unsaid) {
            due.add(new TableMessage.InstanceEnded(leader, path, ended.get(path)));
        }
        unsaid.clear();
        if (isAll) {
            told = leader;
            nextTellNanos = nowNanos + TELL_AGAIN_NANOS;
        }
        return due;
    }

    private void look(PartitionTable table) {
        if (table != lookedAt) {
            lookedAt = table;
            List.copyOf(ended.keySet()).forEach(this::look);
        } else {
            added.forEach(this::look);
        }
        unsaid.addAll(added);
        unsaid.retainAll(awaited);
        added.clear();
    }

    private void look(PartitionPath path) {
        PartitionEntry row = lookedAt.row(path);
        if (hasBegun(row)) {
            ended.remove(path);
        }
        if (row == null || row.isDeleted() || hasBegun(row)) {
            awaited.remove(path);
        } else if (awaited.add(path)) {
            unsaid.add(path);
        }
    }

    /** Somewhere, so nobody waits for this node any more. */
    private static boolean hasBegun(PartitionEntry row) {
        return row != null && !row.instances().isEmpty();
    }

    long nextWakeUpNanos() {
        return awaited.isEmpty() ? Long.MAX_VALUE : nextTellNanos;
    }
}

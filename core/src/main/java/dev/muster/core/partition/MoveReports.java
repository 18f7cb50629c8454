package dev.muster.core.partition;

import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** What gates of this node have said about moves that begin here. Whoever leads is told until the table shows it. */
final class MoveReports {
    static final long TELL_AGAIN_NANOS = 500_000_000L;

    private final TreeMap<PartitionPath, PartitionDuties.MoveOutcome> reports = new TreeMap<>();
    private NodeId told;
    private long nextTellNanos = Long.MAX_VALUE;

    void add(PartitionPath path, PartitionDuties.MoveOutcome outcome, long nowNanos) {
        reports.put(path, outcome);
        nextTellNanos = nowNanos;
    }

    boolean isEmpty() {
        return reports.isEmpty();
    }

    /** What to say to the leader now, if it is time to. */
    List<TableMessage.MoveReport> due(PartitionTable table, NodeId leader, long nowNanos) {
        List<TableMessage.MoveReport> due = new ArrayList<>();
        if (reports.isEmpty()) {
            return due;
        }
        reports.entrySet()
                .removeIf(it -> !isPending(table, it.getKey(), it.getValue().move()));
        if (nowNanos >= nextTellNanos || !leader.equals(told)) {
            told = leader;
            nextTellNanos = nowNanos + TELL_AGAIN_NANOS;
            reports.forEach((path, outcome) ->
                    due.add(new TableMessage.MoveReport(leader, path, outcome.move(), outcome.failure())));
        }
        return due;
    }

    private static boolean isPending(PartitionTable table, PartitionPath path, long move) {
        return table.find(path)
                .flatMap(PartitionEntry::pending)
                .filter(it -> it.id() == move)
                .isPresent();
    }

    long nextWakeUpNanos() {
        return reports.isEmpty() ? Long.MAX_VALUE : nextTellNanos;
    }
}

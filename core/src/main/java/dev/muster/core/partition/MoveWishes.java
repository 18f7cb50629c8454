package dev.muster.core.partition;

import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** What people asked this node to have moved. The leader is told a few times, in case that a message is lost. */
final class MoveWishes {
    static final long TELL_AGAIN_NANOS = 1_000_000_000L;
    private static final int MOST_TIMES = 5;

    private final TreeMap<PartitionPath, Command.Migrate> moves = new TreeMap<>();
    private boolean wantsRebalance;
    private int timesLeft;
    private long nextTellNanos = Long.MAX_VALUE;

    void move(Command.Migrate wish, long nowNanos) {
        moves.put(wish.path(), wish);
        begin(nowNanos);
    }

    /** The leader said no. Returns what somebody here had wanted. */
    Optional<Command.Migrate> forget(PartitionPath path) {
        return Optional.ofNullable(moves.remove(path));
    }

    void rebalance(long nowNanos) {
        wantsRebalance = true;
        begin(nowNanos);
    }

    private void begin(long nowNanos) {
        timesLeft = MOST_TIMES;
        nextTellNanos = nowNanos;
    }

    boolean isEmpty() {
        return moves.isEmpty() && !wantsRebalance;
    }

    List<TableMessage> due(PartitionTable table, NodeId leader, NodeId self, long nowNanos) {
        List<TableMessage> due = new ArrayList<>();
        moves.entrySet().removeIf(it -> isSeen(table, it.getKey(), it.getValue().to()));
        if (isEmpty() || nowNanos < nextTellNanos) {
            return due;
        }
        moves.forEach((path, wish) -> due.add(new TableMessage.WantMove(leader, path, wish.to(), wish.from())));
        if (wantsRebalance) {
            due.add(new TableMessage.WantRebalance(leader));
        }
        // Who leads has heard it; and to even out once more what was evened out does nothing.
        if (--timesLeft == 0 || leader.equals(self)) {
            moves.clear();
            wantsRebalance = false;
        }
        nextTellNanos = nowNanos + TELL_AGAIN_NANOS;
        return due;
    }

    /** Whether there is nothing to wish for any more. */
    static boolean isSeen(PartitionTable table, PartitionPath path, NodeAddress to) {
        PartitionEntry row = table.find(path).orElse(null);
        return row == null
                || row.instances().stream().anyMatch(it -> it.address().equals(to))
                || row.pending().filter(it -> it.to().address().equals(to)).isPresent();
    }

    long nextWakeUpNanos() {
        return isEmpty() ? Long.MAX_VALUE : nextTellNanos;
    }
}

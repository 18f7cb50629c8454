package dev.muster.core.partition;

import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What users of this node want of the table and it does not have yet. The leader is asked until it has: nothing is lost
 * with a message or with a leader.
 */
final class PartitionWishes {
    static final long ASK_AGAIN_NANOS = 1_000_000_000L;

    /** Empty for a partition that is to end. */
    private final TreeMap<PartitionPath, Optional<PartitionSpec>> wishes = new TreeMap<>();

    private long nextAskNanos = Long.MAX_VALUE;

    void want(PartitionPath path, PartitionSpec spec, long nowNanos) {
        wishes.put(path, Optional.of(spec));
        nextAskNanos = nowNanos;
    }

    void end(PartitionPath path, long nowNanos) {
        wishes.put(path, Optional.empty());
        nextAskNanos = nowNanos;
    }

    boolean isEmpty() {
        return wishes.isEmpty();
    }

    /** The leader said no. Returns whether anybody here had wanted it. */
    boolean forget(PartitionPath path) {
        return wishes.remove(path) != null;
    }

    /** What to say to the leader now, if it is time to. */
    List<TableMessage> due(PartitionTable table, NodeId leader, long nowNanos) {
        List<TableMessage> messages = new ArrayList<>();
        if (nowNanos < nextAskNanos) {
            return messages;
        }
        wishes.entrySet().removeIf(wish -> isFulfilled(table, wish.getKey(), wish.getValue()));
        wishes.forEach((path, spec) -> messages.add(
                spec.isPresent()
                        ? new TableMessage.WantPartition(leader, path, spec.get())
                        : new TableMessage.EndPartition(leader, path)));
        nextAskNanos = wishes.isEmpty() ? Long.MAX_VALUE : nowNanos + ASK_AGAIN_NANOS;
        return messages;
    }

    private static boolean isFulfilled(PartitionTable table, PartitionPath path, Optional<PartitionSpec> spec) {
        return table.find(path).map(entry -> entry.spec()).equals(spec);
    }

    long nextWakeUpNanos() {
        return nextAskNanos;
    }
}

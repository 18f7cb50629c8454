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
import java.util.TreeSet;

/**
 * What users of this node want of the table and it does not have yet. The leader is asked until it has: nothing is lost
 * with a message or with a leader.
 */
final class PartitionWishes {
    static final long ASK_AGAIN_NANOS = 1_000_000_000L;

    /** Empty for a partition that is to end. */
    private final TreeMap<PartitionPath, Optional<PartitionSpec>> wishes = new TreeMap<>();

    /** Those that nobody was asked for yet. The others wait for their turn: a thousand may have come before. */
    private final TreeSet<PartitionPath> unsaid = new TreeSet<>();

    /** The table in which nothing of what is still wished for is so. */
    private PartitionTable comparedTo;

    private long wishedNanos;
    private long nextAskNanos = Long.MAX_VALUE;

    void want(PartitionPath path, PartitionSpec spec, long nowNanos) {
        add(path, Optional.of(spec), nowNanos);
    }

    void end(PartitionPath path, long nowNanos) {
        add(path, Optional.empty(), nowNanos);
    }

    private void add(PartitionPath path, Optional<PartitionSpec> wish, long nowNanos) {
        wishes.put(path, wish);
        unsaid.add(path);
        comparedTo = null;
        wishedNanos = nowNanos;
    }

    boolean isEmpty() {
        return wishes.isEmpty();
    }

    /** The leader said no. Returns whether anybody here had wanted it. */
    boolean forget(PartitionPath path) {
        unsaid.remove(path);
        return wishes.remove(path) != null;
    }

    /** What to say to the leader now, if it is time to. */
    List<TableMessage> due(PartitionTable table, NodeId leader, long nowNanos) {
        forgetFulfilled(table);
        List<PartitionPath> due = List.copyOf(unsaid);
        if (nowNanos >= nextAskNanos || unsaid.size() == wishes.size()) {
            due = List.copyOf(wishes.keySet());
            nextAskNanos = wishes.isEmpty() ? Long.MAX_VALUE : nowNanos + ASK_AGAIN_NANOS;
        }
        unsaid.clear();
        return messages(leader, due);
    }

    /** What is to end first: it may be in the way of something else. */
    private List<TableMessage> messages(NodeId leader, List<PartitionPath> due) {
        List<TableMessage> ends = new ArrayList<>();
        List<TableMessage> others = new ArrayList<>();
        for (PartitionPath path : due) {
            Optional<PartitionSpec> wish = wishes.get(path);
            (wish.isEmpty() ? ends : others).add(message(leader, path, wish));
        }
        ends.addAll(others);
        return ends;
    }

    /**
     * A wish has its way once. If it were kept until it is time to ask again, two nodes that want different things
     * would take turns for ever.
     */
    private void forgetFulfilled(PartitionTable table) {
        if (table != comparedTo) {
            comparedTo = table;
            wishes.entrySet().removeIf(wish -> isFulfilled(table, wish.getKey(), wish.getValue()));
            unsaid.retainAll(wishes.keySet());
        }
    }

    private static TableMessage message(NodeId leader, PartitionPath path, Optional<PartitionSpec> spec) {
        return spec.isPresent()
                ? new TableMessage.WantPartition(leader, path, spec.get())
                : new TableMessage.EndPartition(leader, path);
    }

    private static boolean isFulfilled(PartitionTable table, PartitionPath path, Optional<PartitionSpec> spec) {
        return table.find(path).map(entry -> entry.spec()).equals(spec);
    }

    long nextWakeUpNanos() {
        return unsaid.isEmpty() ? nextAskNanos : wishedNanos;
    }
}

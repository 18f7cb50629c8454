package dev.muster.core.partition;

import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayDeque;
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

    /**
     * What is wished for of each path, one thing after the other; empty for a partition that is to end. A wish that was
     * said may be granted however long it takes, so the next one is said and compared with the table only after that: a
     * table that is just as it should be, but about to change, would have settled it.
     */
    private final TreeMap<PartitionPath, ArrayDeque<Optional<PartitionSpec>>> wishes = new TreeMap<>();

    /** Those of which nothing was asked for yet. The others wait for their turn: a thousand may have come before. */
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
        ArrayDeque<Optional<PartitionSpec>> inOrder = wishes.computeIfAbsent(path, it -> new ArrayDeque<>());
        boolean isLastUnsaid = inOrder.size() > 1 || unsaid.contains(path);
        boolean beginsAnew =
                wish.isPresent() && !inOrder.isEmpty() && inOrder.getLast().isEmpty();
        if (isLastUnsaid && !beginsAnew) {
            inOrder.removeLast();
        }
        if (inOrder.isEmpty() || !inOrder.getLast().equals(wish)) {
            inOrder.addLast(wish);
        }
        if (inOrder.size() == 1) {
            unsaid.add(path);
        }
        comparedTo = null;
        wishedNanos = nowNanos;
    }

    boolean isEmpty() {
        return wishes.isEmpty();
    }

    /**
     * The leader said no to the partition, perhaps a second time; it never does to its end. Returns whether anybody
     * here had wanted it.
     */
    boolean forget(PartitionPath path) {
        boolean wasWanted =
                wishes.containsKey(path) && wishes.get(path).getFirst().isPresent();
        if (wasWanted && !goOn(path)) {
            wishes.remove(path);
        }
        return wasWanted;
    }

    /** The first wish is settled. Returns whether there is another one. */
    private boolean goOn(PartitionPath path) {
        ArrayDeque<Optional<PartitionSpec>> inOrder = wishes.get(path);
        inOrder.removeFirst();
        if (inOrder.isEmpty()) {
            unsaid.remove(path);
            return false;
        }
        unsaid.add(path);
        comparedTo = null;
        return true;
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
            Optional<PartitionSpec> wish = wishes.get(path).getFirst();
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
            wishes.entrySet()
                    .removeIf(wish ->
                            isFulfilled(table, wish.getKey(), wish.getValue().getFirst()) && !goOn(wish.getKey()));
            comparedTo = table;
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

package dev.muster.core.partition;

import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.TableMessage.TableParts;
import dev.muster.core.exchange.TableMessage.TableRows;
import dev.muster.core.exchange.TableMessage.TableStatus;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.TableDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * How the partition table spreads among the members that have one.
 *
 * <p>Whoever writes or learns something new passes just that on. Two that find that their tables differ compare them
 * part by part and exchange the parts in which they do. Who has taken over something new tells the leader which table
 * it has now, and the leader asks those of whom it has not heard. A table that does not change costs a few bytes now
 * and then, however large it is; none at all costs nothing.
 */
public final class TableGossip {
    static final long INTERVAL_NANOS = 1_000_000_000L;

    /** So many are told of news at once; in larger clusters they pass it on. */
    static final int TOLD_BY_WRITER = 32;

    static final int TOLD_BY_OTHERS = 3;
    /** So many of the silent ones are asked in one round. */
    static final int ASKED_AT_ONCE = 32;
    /** More than this goes in several messages, so that each fits into the smallest frame that may be configured. */
    static final int BYTES_AT_ONCE = 24 * 1024;

    private static final int REMEMBERED = 32;
    private static final long GREATEST_LEAP = 1L << 40;
    private static final int BYTES_OF_A_ROW = 64;
    private static final int BYTES_OF_A_NODE = 100;

    private final NodeId self;
    private final RandomGenerator random;
    private final TreeSet<NodeId> seen = new TreeSet<>();
    /** What the table was before: who has one of these is only late. */
    private final ArrayDeque<TableDigest> former = new ArrayDeque<>();

    private PartitionTable table = PartitionTable.EMPTY;
    private Members known = Members.of(List.of());
    private long nextRoundNanos = Long.MAX_VALUE;

    public TableGossip(NodeId self, RandomGenerator random) {
        this.self = self;
        this.random = random;
    }

    public PartitionTable table() {
        return table;
    }

    /** Whether all members that have a table have this one, as far as this node has heard. */
    public boolean hasConverged(ClusterState state) {
        return silent(state).isEmpty();
    }

    /** Those of whom this node has not heard that they have the same table. */
    public List<NodeId> silent(ClusterState state) {
        List<NodeId> silent = new ArrayList<>();
        for (Member member : state.members()) {
            if (TableMembers.counts(member) && !member.id().equals(self) && !seen.contains(member.id())) {
                silent.add(member.id());
            }
        }
        return silent;
    }

    /** Takes over what the leader, this node, has written. */
    public void write(ClusterState state, List<PartitionEntry> rows, long nowNanos, Effects effects) {
        if (takeOver(rows, nowNanos)) {
            tell(others(state, null), TOLD_BY_WRITER, rows, effects);
        }
    }

    private boolean takeOver(List<PartitionEntry> rows, long nowNanos) {
        PartitionTable merged = table.merge(rows);
        if (merged == table) {
            return false;
        }
        former.addLast(table.digest());
        if (former.size() > REMEMBERED) {
            former.removeFirst();
        }
        table = merged;
        seen.clear();
        nextRoundNanos = Math.min(nextRoundNanos, nowNanos + INTERVAL_NANOS);
        return true;
    }

    private void tell(List<NodeId> whom, int most, List<PartitionEntry> rows, Effects effects) {
        for (NodeId node : some(whom, most)) {
            sendRows(node, rows, false, effects);
        }
    }

    /** In as many messages as it takes; only with the last one the receiver can know what is missing on either side. */
    private void sendRows(NodeId to, List<PartitionEntry> rows, boolean wantsBack, Effects effects) {
        int from = 0;
        do {
            int end = endOfMessage(rows, from);
            boolean isLast = end == rows.size();
            effects.send(
                    to.address(),
                    new TableRows(
                            to,
                            isLast ? table.digest() : TableDigest.NONE,
                            rows.subList(from, end),
                            isLast && wantsBack ? parts() : List.of()));
            from = end;
        } while (from < rows.size());
    }

    /** How many rows fit; one at least. */
    private static int endOfMessage(List<PartitionEntry> rows, int from) {
        TreeSet<NodeId> nodes = new TreeSet<>();
        int bytes = 0;
        int end = from;
        while (end < rows.size()) {
            PartitionEntry row = rows.get(end);
            nodes.add(row.writer());
            nodes.addAll(row.instances());
            row.move().ifPresent(move -> {
                nodes.add(move.from());
                nodes.add(move.to());
            });
            bytes += BYTES_OF_A_ROW
                    + row.path().text().length()
                    + row.spec().role().length()
                    + 3 * row.instances().size();
            if (end > from && bytes + nodes.size() * BYTES_OF_A_NODE > BYTES_AT_ONCE) {
                break;
            }
            end++;
        }
        return end;
    }

    private List<Long> parts() {
        return Arrays.stream(table.buckets()).boxed().toList();
    }

    private List<NodeId> others(ClusterState state, NodeId except) {
        List<NodeId> others = new ArrayList<>();
        for (Member member : state.members()) {
            NodeId id = member.id();
            if (TableMembers.counts(member) && !id.equals(self) && !id.equals(except)) {
                others.add(id);
            }
        }
        return others;
    }

    private List<NodeId> some(List<NodeId> all, int most) {
        if (all.size() <= most) {
            return all;
        }
        List<NodeId> left = new ArrayList<>(all);
        List<NodeId> chosen = new ArrayList<>();
        while (chosen.size() < most) {
            chosen.add(left.remove(random.nextInt(left.size())));
        }
        return chosen;
    }

    // ---- What others say.

    public void onStatus(NodeId from, TableStatus status, Effects effects) {
        if (status.digest().equals(table.digest())) {
            seen.add(from);
            if (status.wantsAnswer()) {
                sendStatus(from, false, effects);
            }
        } else if (status.wantsAnswer() || !former.contains(status.digest())) {
            effects.send(from.address(), new TableParts(from, table.digest(), parts()));
        }
    }

    /** Somebody's table differs, or did a moment ago. */
    public void onParts(NodeId from, TableParts theirs, Effects effects) {
        if (theirs.digest().equals(table.digest())) {
            seen.add(from);
            sendStatus(from, false, effects);
        } else {
            sendRows(from, table.differing(unboxed(theirs.parts())), true, effects);
        }
    }

    private static long[] unboxed(List<Long> parts) {
        return parts.stream().mapToLong(Long::longValue).toArray();
    }

    public void onRows(ClusterState state, NodeId from, TableRows rows, long nowNanos, Effects effects) {
        if (rows.rows().stream().anyMatch(row -> row.epoch() - table.revision() > GREATEST_LEAP)) {
            return; // no leader counts like that, and nobody could write after it
        }
        boolean isNew = takeOver(rows.rows(), nowNanos);
        if (rows.digest().equals(table.digest())) {
            seen.add(from);
        }
        if (isNew) {
            // In small clusters the writer has told everybody.
            List<NodeId> others = others(state, from);
            if (others.size() > TOLD_BY_WRITER) {
                tell(others, TOLD_BY_OTHERS, rows.rows(), effects);
            }
        }
        answer(state, from, rows, isNew, effects);
    }

    private void answer(ClusterState state, NodeId from, TableRows rows, boolean isNew, Effects effects) {
        boolean isAll = rows.digest().equals(table.digest());
        boolean isPart = rows.digest().equals(TableDigest.NONE);
        if (!rows.parts().isEmpty() && !isAll) {
            sendRows(from, table.differing(unboxed(rows.parts())), false, effects);
        } else if (!isAll && !isPart && isNew) {
            effects.send(from.address(), new TableParts(from, table.digest(), parts()));
        }
        if (isAll || isNew && !isPart) {
            TableMembers.leader(state, self)
                    .filter(it -> !it.equals(self))
                    .ifPresent(it -> sendStatus(it, false, effects));
        }
    }

    private void sendStatus(NodeId to, boolean wantsAnswer, Effects effects) {
        effects.send(to.address(), new TableStatus(to, table.digest(), wantsAnswer));
    }

    // ---- As time goes by.

    /** Members have come or gone: newcomers need the table, and who has gone need not be waited for. */
    public void follow(ClusterState state, long nowNanos) {
        if (state.members() == known) {
            return;
        }
        known = state.members();
        seen.removeIf(node -> !state.members().has(node));
        nextRoundNanos = Math.min(nextRoundNanos, nowNanos);
    }

    /** Somebody wants the table changed, which may be only after all have said which one they have. */
    public void wantsConvergence(ClusterState state, long nowNanos) {
        if (nextRoundNanos == Long.MAX_VALUE && !hasConverged(state)) {
            nextRoundNanos = nowNanos;
        }
    }

    private boolean isLeader(ClusterState state) {
        return TableMembers.leader(state, self).filter(self::equals).isPresent();
    }

    public void tick(ClusterState state, long nowNanos, Effects effects) {
        if (nowNanos < nextRoundNanos) {
            return;
        }
        // While there is no table, only a leader that wants to write one has anything to ask.
        boolean goesOn = !table.isEmpty() || isLeader(state) && !hasConverged(state);
        nextRoundNanos = goesOn ? nowNanos + INTERVAL_NANOS : Long.MAX_VALUE;
        if (isLeader(state)) {
            List<NodeId> silent = silent(state);
            silent.removeIf(node -> !state.isReachable(node));
            some(silent, ASKED_AT_ONCE).forEach(node -> sendStatus(node, true, effects));
        }
        if (!table.isEmpty()) {
            some(others(state, null), 1).forEach(node -> sendStatus(node, false, effects));
        }
    }

    public long nextWakeUpNanos() {
        return nextRoundNanos;
    }
}

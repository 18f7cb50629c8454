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
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.TableDigest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * How the partition table spreads among the members that have one.
 *
 * <p>Whoever writes or learns something new passes just that on, in a large cluster to those who come next in a tree
 * that all compute alike ({@link NewsTree}). Who is only late is sent what has come since. Two whose tables differ
 * otherwise compare them part by part and exchange the parts in which they do. Who has taken over something new tells
 * the leader which table it has now, and the leader asks those of whom it has not heard. A table that does not change
 * costs a few bytes now and then, however large it is; none at all costs nothing.
 */
public final class TableGossip {
    static final long INTERVAL_NANOS = 1_000_000_000L;

    /** So many of the silent ones are asked at once, and the next soon after. */
    static final int ASKED_AT_ONCE = 32;

    private static final long NEXT_TO_ASK_NANOS = 100_000_000L;
    private static final long ASK_NEWCOMERS_NANOS = 250_000_000L;
    /** More than this goes in several messages, so that each fits into the smallest frame that may be configured. */
    static final int BYTES_AT_ONCE = 24 * 1024;

    private static final int REMEMBERED = 32;
    private static final long GREATEST_LEAP = 1L << 40;
    private static final int BYTES_OF_A_ROW = 64;
    private static final int BYTES_OF_A_NODE = 100;

    private final NodeId self;
    private final RandomGenerator random;
    private final TreeSet<NodeId> seen = new TreeSet<>();
    private final TableAgreement agreement = new TableAgreement();
    /** Those who have had this table, or one that it was before. */
    private final TreeSet<NodeId> informed = new TreeSet<>();
    /** How often the table here had changed when somebody was last known to have it. */
    private final TreeMap<NodeId, Long> knownChanges = new TreeMap<>();

    /** The last changes of the table: who has what it was before one of these is only late. */
    private final ArrayDeque<Change> changes = new ArrayDeque<>();

    private PartitionTable table = PartitionTable.EMPTY;
    private long changesSoFar;
    private Members known = Members.of(List.of());
    private Reachability knownReachability = Reachability.ALL_REACHABLE;
    private long nextRoundNanos = Long.MAX_VALUE;
    /** Whether this node leads, and what it has heard was said since all knew that. */
    private boolean hasTakenOver;

    private boolean asksAll;
    /** Whoever was found silent last most likely still is. */
    private NodeId lastSilent;

    /** What the table was before, and the rows that came. */
    private record Change(TableDigest before, List<PartitionEntry> rows) {}

    public TableGossip(NodeId self, RandomGenerator random) {
        this.self = self;
        this.random = random;
    }

    public PartitionTable table() {
        return table;
    }

    /** Whether all members that have a table have this one, as far as this node has heard. */
    public boolean hasConverged(ClusterState state) {
        if (lastSilent != null
                && state.members().find(lastSilent).filter(this::isSilent).isPresent()) {
            return false;
        }
        for (Member member : state.members()) {
            if (isSilent(member)) {
                lastSilent = member.id();
                return false;
            }
        }
        lastSilent = null;
        return true;
    }

    /** The same, and whoever leads may act on it: none of it is older than its lead. */
    public boolean isSettled(ClusterState state) {
        return (hasTakenOver || isAlone(state)) && hasConverged(state);
    }

    private boolean isAlone(ClusterState state) {
        return state.members().stream()
                .noneMatch(it -> TableMembers.counts(it) && !it.id().equals(self));
    }

    /** Whether this node or the leader has heard it of all. That is for onlookers: nothing may be done by it. */
    public boolean isKnownToAll(ClusterState state) {
        return hasConverged(state) || !isLeader(state) && agreement.isKnown(state.members());
    }

    /** Those of whom this node has not heard that they have the same table. */
    public List<NodeId> silent(ClusterState state) {
        List<NodeId> silent = new ArrayList<>();
        for (Member member : state.members()) {
            if (isSilent(member)) {
                silent.add(member.id());
            }
        }
        return silent;
    }

    private boolean isSilent(Member member) {
        return TableMembers.counts(member) && !member.id().equals(self) && !seen.contains(member.id());
    }

    /**
     * Whether a member is known to have had the table. One that comes up without it could be the only one left a moment
     * later, and would begin a table anew.
     */
    public boolean isInformed(Member member) {
        return table.isEmpty() || !member.isMuster() || member.id().equals(self) || informed.contains(member.id());
    }

    private void hasThisTable(NodeId node) {
        seen.add(node);
        informed.add(node);
        knownChanges.put(node, changesSoFar);
    }

    /** It may have come by news that this node has not, and then nothing may be written before that has come here. */
    private void hasAnotherTable(NodeId node, TableDigest digest) {
        if (!isFormer(digest)) {
            seen.remove(node);
        }
    }

    /**
     * How often the table here has changed. The highest epoch would not tell: the rows of one write travel in several
     * messages, and all have the same.
     */
    public long changes() {
        return changesSoFar;
    }

    /** How many of these changes a member is known to have. */
    public long knownChanges(NodeId node) {
        return node.equals(self) ? changesSoFar : knownChanges.getOrDefault(node, 0L);
    }

    /** Takes over what the leader, this node, has written. */
    public void write(ClusterState state, List<PartitionEntry> rows, long nowNanos, Effects effects) {
        if (takeOver(rows, nowNanos)) {
            List<List<PartitionEntry>> messages = inMessages(rows);
            NewsTree.next(state, self, self).forEach(node -> send(node, messages, table.digest(), List.of(), effects));
        }
    }

    private boolean takeOver(List<PartitionEntry> rows, long nowNanos) {
        PartitionTable merged = table.merge(rows);
        if (merged == table) {
            return false;
        }
        PartitionTable before = table;
        List<PartitionEntry> news = rows.stream()
                .filter(row -> merged.row(row.path()) == row && before.row(row.path()) != row)
                .toList();
        changes.addLast(new Change(before.digest(), news));
        if (changes.size() > REMEMBERED) {
            changes.removeFirst();
        }
        table = merged;
        changesSoFar++;
        seen.clear();
        agreement.forget();
        nextRoundNanos = Math.min(nextRoundNanos, nowNanos + INTERVAL_NANOS);
        return true;
    }

    /** The rows that have come since the table was that; empty if that is too long ago, or it never was. */
    private Optional<List<PartitionEntry>> since(TableDigest former) {
        TreeSet<PartitionPath> paths = new TreeSet<>();
        for (Iterator<Change> latestFirst = changes.descendingIterator(); latestFirst.hasNext(); ) {
            Change change = latestFirst.next();
            change.rows().forEach(row -> paths.add(row.path()));
            if (change.before().equals(former)) {
                return Optional.of(paths.stream().map(table::row).toList());
            }
        }
        return Optional.empty();
    }

    private boolean isFormer(TableDigest digest) {
        return changes.stream().anyMatch(it -> it.before().equals(digest));
    }

    /** In as many messages as it takes. */
    private static List<List<PartitionEntry>> inMessages(List<PartitionEntry> rows) {
        List<List<PartitionEntry>> messages = new ArrayList<>();
        int from = 0;
        do {
            int end = endOfMessage(rows, from);
            messages.add(List.copyOf(rows.subList(from, end)));
            from = end;
        } while (from < rows.size());
        return messages;
    }

    /** Only with the last message the receiver can know what is missing on either side. */
    private static void send(
            NodeId to, List<List<PartitionEntry>> messages, TableDigest digest, List<Long> parts, Effects effects) {
        for (int i = 0; i < messages.size(); i++) {
            boolean isLast = i == messages.size() - 1;
            effects.send(
                    to.address(),
                    new TableRows(to, isLast ? digest : TableDigest.NONE, messages.get(i), isLast ? parts : List.of()));
        }
    }

    private void sendRows(NodeId to, List<PartitionEntry> rows, boolean wantsBack, Effects effects) {
        send(to, inMessages(rows), table.digest(), wantsBack ? parts() : List.of(), effects);
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

    private List<NodeId> others(ClusterState state) {
        List<NodeId> others = new ArrayList<>();
        for (Member member : state.members()) {
            NodeId id = member.id();
            if (TableMembers.counts(member) && !id.equals(self)) {
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

    /** Right behind its welcome: what the leader asks may come to a newcomer before it knows that it is let in. */
    public void greet(Member newcomer, Effects effects) {
        if (!isInformed(newcomer)) {
            sendStatus(newcomer.id(), true, effects);
        }
    }

    // ---- What others say.

    public void onStatus(NodeId from, TableStatus status, Effects effects) {
        if (status.digest().equals(table.digest())) {
            hasThisTable(from);
            if (status.wantsAnswer()) {
                sendAgreement(from, effects);
            }
            return;
        }
        if (isFormer(status.digest()) && !status.digest().equals(PartitionTable.EMPTY.digest())) {
            informed.add(from);
        }
        hasAnotherTable(from, status.digest());
        if (status.wantsAnswer() || !isFormer(status.digest())) {
            effects.send(from.address(), new TableParts(from, table.digest(), parts()));
        }
    }

    /** It may be said there that all have this table. Who learns that passes it on, as it does with rows. */
    public void learnAgreement(ClusterState state, TableStatus status, Effects effects) {
        if (status.digest().equals(table.digest()) && agreement.learn(status.knownTo(), state.members())) {
            TableMembers.leader(state, self)
                    .ifPresent(
                            leader -> NewsTree.next(state, leader, self).forEach(node -> sendAgreement(node, effects)));
        }
    }

    private void sendAgreement(NodeId to, Effects effects) {
        effects.send(to.address(), new TableStatus(to, table.digest(), false, agreement.knownTo()));
    }

    /** Somebody's table differs, or did a moment ago. */
    public void onParts(NodeId from, TableParts theirs, Effects effects) {
        if (theirs.digest().equals(table.digest())) {
            hasThisTable(from);
            sendStatus(from, false, effects);
            return;
        }
        hasAnotherTable(from, theirs.digest());
        Optional<List<PartitionEntry>> since = since(theirs.digest());
        if (since.isPresent()) {
            sendRows(from, since.get(), false, effects);
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
            hasThisTable(from);
        }
        if (isNew) {
            passOn(state, from, rows, effects);
        }
        answer(state, from, rows, isNew, effects);
    }

    /** Just as it came. Who has another table by now cannot say what it will be when all of the news has come. */
    private void passOn(ClusterState state, NodeId from, TableRows rows, Effects effects) {
        TableDigest digest = rows.digest().equals(table.digest()) ? rows.digest() : TableDigest.NONE;
        for (NodeId node : NewsTree.next(state, rows.rows().get(0).writer(), self)) {
            if (!node.equals(from)) {
                send(node, List.of(rows.rows()), digest, List.of(), effects);
            }
        }
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

    /**
     * Members have come or gone: newcomers need the table, and who has gone need not be waited for. Who cannot be
     * reached may hear news from others meanwhile, and is asked again when it can.
     */
    public void follow(ClusterState state, long nowNanos) {
        if (state.reachability() != knownReachability) {
            knownReachability = state.reachability();
            seen.removeIf(node -> !state.isReachable(node));
            nextRoundNanos = Math.min(nextRoundNanos, nowNanos);
        }
        if (state.members() == known) {
            return;
        }
        known = state.members();
        seen.removeIf(node -> !state.members().has(node));
        informed.removeIf(node -> !state.members().has(node));
        knownChanges.keySet().removeIf(node -> !state.members().has(node));
        nextRoundNanos = Math.min(nextRoundNanos, nowNanos);
    }

    /**
     * Whether this node leads, as it and all others know. What it heard before may not be true any more: news of the
     * leader before went to that one's followers, who said to that one that they have it. So all are asked anew.
     */
    public void lead(boolean leads, boolean isConverged, long nowNanos) {
        if (leads && isConverged && !hasTakenOver) {
            hasTakenOver = true;
            asksAll = true;
            seen.clear();
            nextRoundNanos = Math.min(nextRoundNanos, nowNanos);
        } else if (!leads) {
            hasTakenOver = false;
        }
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
            // Nothing can go on before a new leader has heard of all, so it asks them in one go, once.
            int most = asksAll ? silent.size() : ASKED_AT_ONCE;
            asksAll = false;
            some(silent, most).forEach(node -> sendStatus(node, true, effects));
            if (silent.size() > most) {
                nextRoundNanos = nowNanos + NEXT_TO_ASK_NANOS;
            } else if (someoneWaits(state)) {
                nextRoundNanos = nowNanos + ASK_NEWCOMERS_NANOS;
            }
            tellWhetherAllHaveIt(state, effects);
        }
        if (!table.isEmpty()) {
            boolean asks = agreement.isToBeAsked() && !isLeader(state) && !isKnownToAll(state);
            some(others(state), 1).forEach(node -> sendStatus(node, asks, effects));
        }
    }

    /** Once for each table that lasts for a moment: while rows follow each other, nothing is said between them. */
    private void tellWhetherAllHaveIt(ClusterState state, Effects effects) {
        if (!isSettled(state)) {
            agreement.forget();
        } else if (!table.isEmpty() && agreement.heardFromAll(state.members())) {
            NewsTree.next(state, self, self).forEach(node -> sendAgreement(node, effects));
        }
    }

    private boolean someoneWaits(ClusterState state) {
        for (Member member : state.members()) {
            if (member.status().isNotYetUp() && !isInformed(member) && state.isReachable(member.id())) {
                return true;
            }
        }
        return false;
    }

    public long nextWakeUpNanos() {
        return nextRoundNanos;
    }
}

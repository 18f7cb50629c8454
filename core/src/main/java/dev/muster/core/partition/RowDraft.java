package dev.muster.core.partition;

import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A row of the table while the leader thinks about it. */
final class RowDraft {
    /** In place of the epoch, which is known when the row is written. */
    private static final long NEW = Long.MAX_VALUE;

    private static final int MOST_NAMED = 3;

    final PartitionPath path;
    PartitionSpec spec;
    List<NodeId> instances = List.of();
    Optional<PartitionMove> move = Optional.empty();
    /** Why it is to become as it is here; empty if nothing was decided about it. */
    String reason = "";

    /** Whether its only host is about to go and keeps it until then. */
    boolean servesToTheEnd;

    /** Whether the row that is to be written calls its move off. */
    boolean isCalledOff;

    /** Whether it ends when it has moved. */
    boolean isToEnd;

    /** Whether nobody has ever hosted it. */
    final boolean isNew;

    private RowDraft(PartitionPath path, boolean isNew) {
        this.path = path;
        this.isNew = isNew;
    }

    static RowDraft empty(PartitionPath path) {
        return new RowDraft(path, true);
    }

    static RowDraft of(PartitionEntry entry) {
        RowDraft draft = new RowDraft(entry.path(), false);
        draft.spec = entry.spec();
        draft.instances = entry.instances();
        draft.move = entry.move();
        return draft;
    }

    Optional<PartitionMove> pending() {
        return move.filter(PartitionMove::isPending);
    }

    /**
     * Whether a move may begin. Not in the row that calls another one off: its old host begins again by that row, with
     * an epoch of its own, before it moves. And not while it ends: the end would have to wait for one move more.
     */
    boolean mayBegin() {
        return pending().isEmpty() && !isCalledOff && !isToEnd;
    }

    void begin(NodeId from, NodeId to, String why) {
        reason = "it moves from " + from + " to " + to + ": " + why;
        move = Optional.of(new PartitionMove(NEW, from, to, PartitionMove.Stage.PENDING));
    }

    void replace(NodeId from, NodeId to) {
        instances = replaced(from, to);
    }

    /** Says why instances have come and gone, other than by moves. */
    void explain(List<NodeId> before, Members members, InstanceDecision byLoad) {
        List<String> changes = new ArrayList<>();
        before.stream()
                .filter(it -> !instances.contains(it))
                .map(it -> members.has(it) ? it + " ends it" : it + " has gone")
                .forEach(changes::add);
        instances.stream()
                .filter(it -> !before.contains(it))
                .map(it -> it + " begins with it")
                .forEach(changes::add);
        if (!changes.isEmpty()) {
            String shown = String.join(", ", changes.subList(0, Math.min(MOST_NAMED, changes.size())))
                    + (changes.size() > MOST_NAMED ? " and " + (changes.size() - MOST_NAMED) + " more" : "");
            reason = shown + ": " + (byLoad == null ? spec.wish() : byLoad.reason());
        }
    }

    private List<NodeId> replaced(NodeId from, NodeId to) {
        List<NodeId> next = new ArrayList<>(instances);
        next.set(next.indexOf(from), to);
        return next;
    }

    /** Where instances will be once the pending change is made, which for placing counts as made. */
    List<NodeId> instancesAfterMove() {
        return pending().map(it -> replaced(it.from(), it.to())).orElse(instances);
    }

    boolean isLike(PartitionEntry entry) {
        return entry != null
                && !entry.isDeleted()
                && entry.spec().equals(spec)
                && entry.instances().equals(instances)
                && entry.move().equals(stillTrue());
    }

    PartitionEntry written(long epoch, NodeId writer) {
        Optional<PartitionMove> written =
                stillTrue().map(it -> it.id() == NEW ? new PartitionMove(epoch, it.from(), it.to(), it.stage()) : it);
        return new PartitionEntry(path, epoch, writer, spec, instances, false, written);
    }

    /** A change that was made is of no interest any more once its new host has lost the instance. */
    private Optional<PartitionMove> stillTrue() {
        return move.filter(it -> it.isPending()
                ? instances.contains(it.from()) && !instances.contains(it.to())
                : instances.contains(it.to()) && !instances.contains(it.from()));
    }
}

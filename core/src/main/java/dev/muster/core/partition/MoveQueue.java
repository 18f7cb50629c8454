package dev.muster.core.partition;

import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Moves that are worth making, whoever wished for them: a plan, a command, or a look at the load. They begin a few at a
 * time, as pending changes of the table, those first that people asked for by name. A move that is not possible any
 * more when its turn comes is forgotten.
 *
 * <p>Nothing here would be missed: what people ask for is repeated by the node that they asked, for as long as it is
 * wanted, and what is planned can be planned again.
 */
final class MoveQueue {
    /** Who has not repeated a wish for so long has gone, or does not want it any more. */
    static final long FORGET_NANOS = 5 * MoveWishes.TELL_AGAIN_NANOS;

    private record Asked(NodeId by, Move move, long heardNanos) {}

    private final Map<PartitionPath, Asked> asked = new LinkedHashMap<>();
    private final List<Move> planned = new ArrayList<>();
    /** The last wish of each node to even things out that there is a plan for. */
    private final TreeMap<NodeId, Long> rebalanced = new TreeMap<>();

    boolean isEmpty() {
        return asked.isEmpty() && planned.isEmpty();
    }

    void clear() {
        asked.clear();
        planned.clear();
        rebalanced.clear();
    }

    /** Takes the place of an earlier plan: two together would move too much. What people want goes before. */
    void plan(Collection<Move> moves) {
        planned.clear();
        moves.forEach(move -> {
            if (!asked.containsKey(move.path())) {
                planned.add(move);
            }
        });
    }

    /** True once for each wish to even things out, however often it is repeated. */
    boolean isNewWish(NodeId by, long number) {
        return !Long.valueOf(number).equals(rebalanced.put(by, number));
    }

    void ask(NodeId by, Move move, long nowNanos) {
        planned.removeIf(it -> it.path().equals(move.path()));
        asked.put(move.path(), new Asked(by, move, nowNanos));
    }

    /** Who wants an instance of it moved, and where to. */
    Optional<NodeId> askedBy(PartitionPath path) {
        return Optional.ofNullable(asked.get(path)).map(Asked::by);
    }

    Optional<Move> askedFor(PartitionPath path) {
        return Optional.ofNullable(asked.get(path)).map(Asked::move);
    }

    /** Who asked for it still wants it. */
    void heardAgain(NodeId by, PartitionPath path, long nowNanos) {
        asked.computeIfPresent(path, (it, wish) -> wish.by().equals(by) ? new Asked(by, wish.move(), nowNanos) : wish);
    }

    void forgetUnheard(long nowNanos) {
        asked.values().removeIf(wish -> nowNanos - wish.heardNanos() >= FORGET_NANOS);
    }

    void forgetThoseTo(Predicate<NodeId> which) {
        asked.values().removeIf(wish -> which.test(wish.move().to()));
        planned.removeIf(move -> which.test(move.to()));
    }

    void forgetPlanned(Predicate<Move> which) {
        planned.removeIf(which);
    }

    List<Move> waiting() {
        List<Move> waiting =
                new ArrayList<>(asked.values().stream().map(Asked::move).toList());
        waiting.addAll(planned);
        return waiting;
    }

    /** Begins as many as there is room for. */
    void begin(TreeMap<PartitionPath, RowDraft> drafts, Members members, MoveRoom room) {
        rebalanced.keySet().removeIf(node -> !members.has(node));
        for (Iterator<Asked> it = asked.values().iterator(); it.hasNext() && !room.isEmpty(); ) {
            if (!mustWait(it.next().move(), drafts, members, room)) {
                it.remove();
            }
        }
        for (Iterator<Move> it = planned.iterator(); it.hasNext() && !room.isEmpty(); ) {
            if (!mustWait(it.next(), drafts, members, room)) {
                it.remove();
            }
        }
    }

    /** Begins a move if it is possible; true if its turn comes later. */
    private static boolean mustWait(
            Move move, TreeMap<PartitionPath, RowDraft> drafts, Members members, MoveRoom room) {
        RowDraft draft = drafts.get(move.path());
        if (draft != null && !draft.mayBegin()) {
            return true; // until the other move is over
        }
        boolean isPossible = draft != null && isPossible(draft, move.from(), move.to(), members);
        if (isPossible && !room.take(move.to())) {
            return true; // until something has arrived there
        }
        if (isPossible) {
            draft.begin(move.from(), move.to(), move.reason());
        }
        return false;
    }

    private static boolean isPossible(RowDraft draft, NodeId from, NodeId to, Members members) {
        Member target = members.find(to).orElse(null);
        return draft.instances.contains(from)
                && !draft.instances.contains(to)
                && target != null
                && draft.spec.fits(target)
                && members.has(from)
                && !members.statusOf(from).isOnItsWayOut();
    }
}

package dev.muster.core.partition;

import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Moves that are worth making, whoever wished for them: a plan, a command, or a look at the load. They begin a few at a
 * time, as pending changes of the table. A move that is not possible any more when its turn comes is forgotten.
 */
final class MoveQueue {
    private final Map<PartitionPath, Move> moves = new LinkedHashMap<>();
    /** Those of them that somebody asked for by name; the others are planned, and can be planned again. */
    private final TreeSet<PartitionPath> asked = new TreeSet<>();

    boolean isEmpty() {
        return moves.isEmpty();
    }

    void clear() {
        moves.clear();
        asked.clear();
    }

    /** Of two moves of one path the later wish counts. */
    void plan(Collection<Move> planned) {
        planned.forEach(move -> {
            moves.put(move.path(), move);
            asked.remove(move.path());
        });
    }

    void ask(Collection<Move> wished) {
        wished.forEach(move -> {
            moves.put(move.path(), move);
            asked.add(move.path());
        });
    }

    void forgetThoseTo(Predicate<NodeId> which) {
        moves.values().removeIf(move -> which.test(move.to()));
        asked.retainAll(moves.keySet());
    }

    void forgetPlanned() {
        moves.keySet().retainAll(asked);
    }

    Collection<Move> waiting() {
        return moves.values();
    }

    /** Begins as many as there is room for. */
    void begin(TreeMap<PartitionPath, RowDraft> drafts, Members members, MoveRoom room) {
        for (Iterator<Move> it = moves.values().iterator(); it.hasNext() && !room.isEmpty(); ) {
            Move move = it.next();
            RowDraft draft = drafts.get(move.path());
            if (draft != null && draft.pending().isPresent()) {
                continue; // its turn comes when the other move is over
            }
            boolean isPossible = draft != null && isPossible(draft, move.from(), move.to(), members);
            if (isPossible && !room.take(move.to())) {
                continue; // its turn comes when something has arrived there
            }
            it.remove();
            asked.remove(move.path());
            if (isPossible) {
                draft.begin(move.from(), move.to(), move.reason());
            }
        }
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

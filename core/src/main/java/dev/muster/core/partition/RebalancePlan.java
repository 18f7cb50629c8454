package dev.muster.core.partition;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Moves that somebody can look at before they are made.
 *
 * @param moves in the order in which they should run, the one that helps most first. A plan may be stopped after any of
 *     them
 * @param loads what each eligible node carries before and after, in member order
 * @param summary why the plan is as it is, in a plain sentence; most of all why it is empty
 * @param refused wishes that cannot be granted, each with the reason
 */
public record RebalancePlan(List<Move> moves, List<NodeLoad> loads, String summary, List<Move> refused) {

    public RebalancePlan {
        moves = List.copyOf(moves);
        loads = List.copyOf(loads);
        Objects.requireNonNull(summary, "summary");
        refused = List.copyOf(refused);
    }

    public boolean isEmpty() {
        return moves.isEmpty();
    }

    /** Why nothing can be done, if nothing can. */
    public Optional<String> objection() {
        return isEmpty()
                ? Optional.of(refused.isEmpty() ? summary : refused.get(0).reason())
                : Optional.empty();
    }

    public RebalancePlan withSummary(String next) {
        return new RebalancePlan(moves, loads, next, refused);
    }
}

package dev.muster.core.partition;

import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.TreeMap;

/**
 * What members that are not up yet must know before they may be.
 *
 * <p>Moves may have ended before their old hosts knew of a newcomer, and so without its word that it knows the new
 * host. Once membership has converged everybody knows it, and waits for it from then on. So it may send once it has the
 * table of that moment: what it sends by an older one could be overtaken.
 */
final class Newcomers {
    /** How many changes of the table each of them has to have. */
    private final TreeMap<NodeId, Long> needed = new TreeMap<>();

    private Members known = Members.of(List.of());

    void follow(Members members) {
        if (members != known) {
            known = members;
            needed.keySet().removeIf(id -> !members.statusOf(id).isNotYetUp());
        }
    }

    /**
     * Said while membership and the table have converged: what a leader before has written, and this one has not heard
     * of, may have ended a move too.
     */
    void need(Member newcomer, long changes) {
        needed.putIfAbsent(newcomer.id(), changes);
    }

    boolean mayComeUp(Member newcomer, long knownChanges) {
        return knownChanges >= needed.getOrDefault(newcomer.id(), Long.MAX_VALUE);
    }
}

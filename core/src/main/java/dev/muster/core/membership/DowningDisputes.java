package dev.muster.core.membership;

import dev.muster.core.membership.DowningView.Accusation;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Remembers who has been at odds with whom lately, although the accusation was taken back since.
 *
 * <p>A node that loses most packets, but not all, is accused by many and cleared again, over and over, and so are those
 * whom it accuses. At any one moment hardly anything may be left of that, and what is left may look as if the other one
 * were sick. Over a while the picture is plain: the sick one is at odds with many, each of the others only with it.
 */
final class DowningDisputes {
    private Members members = Members.NONE;
    private List<Accusation> standing = List.of();
    private final Map<Accusation, Long> takenBackNanos = new LinkedHashMap<>();
    private long longestAgoNanos = Long.MAX_VALUE; // nothing was taken back before that

    /** These accusations stand now. One that no longer does was taken back, unless one of the two is on its way out. */
    void note(List<Accusation> next, ClusterState state, long nowNanos, long memoryNanos) {
        if (state.members() != members) {
            takenBackNanos.keySet().removeIf(it -> !DowningView.mayStand(it, state));
            members = state.members();
        }
        int j = 0;
        for (Accusation accusation : standing) { // both lists are in the same order
            while (j < next.size() && next.get(j).compareTo(accusation) < 0) {
                j++;
            }
            boolean stands = j < next.size() && next.get(j).equals(accusation);
            if (!stands && DowningView.mayStand(accusation, state)) {
                takenBackNanos.put(accusation, nowNanos);
                longestAgoNanos = Math.min(longestAgoNanos, nowNanos);
            }
        }
        standing = next;
        forgetBefore(nowNanos - memoryNanos);
    }

    void forgetBefore(long thenNanos) {
        if (longestAgoNanos <= thenNanos) {
            takenBackNanos.values().removeIf(at -> at <= thenNanos);
            longestAgoNanos = takenBackNanos.values().stream()
                    .mapToLong(Long::longValue)
                    .min()
                    .orElse(Long.MAX_VALUE);
        }
    }

    /**
     * Whether this one had better leave it to others to judge. Either somebody has accused it, or it had to take back
     * its own word; and it has been at odds with more members than that somebody. On one side of a split nobody is like
     * that: what the others say is not heard there, and nobody takes anything back.
     */
    boolean isSuspect(NodeId id) {
        if (isBackedInAll(id)) {
            return false;
        }
        SortedMap<NodeId, SortedSet<NodeId>> opponents = opponents();
        int own = countOf(opponents, id);
        return standing.stream().anyMatch(it -> it.subject().equals(id) && own > countOf(opponents, it.observer()))
                || takenBackNanos.keySet().stream()
                        .anyMatch(it -> it.concerns(id) && own > countOf(opponents, it.otherThan(id)));
    }

    /** Nobody accuses it, and somebody else accuses each of those who are accused: they are gone, whoever says so. */
    private boolean isBackedInAll(NodeId id) {
        SortedSet<NodeId> byOthers = new TreeSet<>();
        standing.stream().filter(it -> !it.observer().equals(id)).forEach(it -> byOthers.add(it.subject()));
        return !byOthers.isEmpty()
                && !byOthers.contains(id)
                && standing.stream().allMatch(it -> byOthers.contains(it.subject()));
    }

    /** Whether it accuses somebody, and nobody else accuses any of those. */
    boolean isAloneWithItsWord(NodeId id) {
        SortedSet<NodeId> own = new TreeSet<>();
        SortedSet<NodeId> others = new TreeSet<>();
        for (Accusation accusation : standing) {
            (accusation.observer().equals(id) ? own : others).add(accusation.subject());
        }
        others.retainAll(own);
        return !own.isEmpty() && others.isEmpty();
    }

    /**
     * The state, in which those who have to go for their quarrels are again at odds with everybody with whom they were
     * lately. This never costs more members; it only tells which of two who quarrel is the one that always does.
     */
    ClusterState recalledIn(ClusterState state) {
        DowningView view = new DowningView(state);
        SortedMap<NodeId, SortedSet<NodeId>> quarrels = view.quarrelling();
        if (quarrels.isEmpty() || takenBackNanos.isEmpty()) {
            return state;
        }
        SortedMap<NodeId, SortedSet<NodeId>> opponents = opponents();
        SortedSet<NodeId> going = VertexCover.of(quarrels, view.keepFirst(id -> countOf(opponents, id)));
        Reachability words = state.reachability();
        for (Accusation past : takenBackNanos.keySet()) {
            boolean ofThose = going.contains(past.observer()) || going.contains(past.subject());
            if (ofThose && view.isQuarrel(past)) {
                words = words.marked(past.observer(), past.subject(), ReachabilityStatus.UNREACHABLE);
            }
        }
        return ClusterState.of(state.members(), state.tombstones(), words, state.version(), state.seen());
    }

    /** For each member those with whom it is at odds, or was lately. */
    private SortedMap<NodeId, SortedSet<NodeId>> opponents() {
        List<Accusation> all = new ArrayList<>(standing);
        all.addAll(takenBackNanos.keySet());
        return DowningView.opponentsIn(all);
    }

    private static int countOf(SortedMap<NodeId, SortedSet<NodeId>> opponents, NodeId id) {
        return opponents.containsKey(id) ? opponents.get(id).size() : 0;
    }
}

package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** Of those whom auto-down would take, the ones whose time has come: each has its own. */
final class AutoDownRipeness {
    private AutoDownRipeness() {}

    /**
     * @param young accused for too short a time to go, unless one goes for what it says of others
     * @param recent accused for too short a time to be cut for a quarrel with one other only: nothing tells yet which
     *     of the two is the sick one, and a sick one will sooner or later be at odds with somebody else, too
     */
    static SortedSet<NodeId> ripe(
            SortedSet<NodeId> down, ClusterState basis, SortedSet<NodeId> young, SortedSet<NodeId> recent) {
        DowningView view = new DowningView(basis);
        SortedMap<NodeId, SortedSet<NodeId>> quarrelling = view.quarrelling();
        SortedSet<NodeId> ripe = new TreeSet<>(down);
        ripe.removeIf(id -> young.contains(id) && accusesNobody(id, view));
        ripe.removeIf(id -> quarrelling.containsKey(id) && isUndecided(id, quarrelling.get(id), recent));
        return ripe;
    }

    /** What it says of somebody who is on the way out anyway is no reason to go. */
    private static boolean accusesNobody(NodeId id, DowningView view) {
        return view.accusations().stream().noneMatch(it -> it.observer().equals(id));
    }

    private static boolean isUndecided(NodeId id, SortedSet<NodeId> opponents, SortedSet<NodeId> recent) {
        return opponents.size() == 1 && (recent.contains(id) || recent.contains(opponents.first()));
    }
}

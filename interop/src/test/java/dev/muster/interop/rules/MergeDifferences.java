package dev.muster.interop.rules;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import dev.muster.core.state.VectorClock.Relation;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Where our merge differs from Pekko's on purpose, for one pair of states (decisions 2 and 7).
 *
 * @param kept members that one side alone knows as down or exiting, and nobody as removed: ours stay
 * @param numbered members in two statuses whose further one goes with the higher up number: ours take the lower one
 * @param stamped tombstones with two stamps: ours take that of the newer state, or else the later one, theirs the
 *     holder's
 * @param letGo tombstones that a strictly newer state lacks: ours are let go
 */
record MergeDifferences(
        ClusterState mine,
        ClusterState received,
        SortedSet<NodeId> kept,
        SortedSet<NodeId> numbered,
        SortedSet<NodeId> stamped,
        SortedSet<NodeId> letGo) {

    static MergeDifferences between(ClusterState mine, ClusterState received) {
        MergeDifferences found = new MergeDifferences(
                mine, received, new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        found.lookAtMembers(mine, received);
        found.lookAtMembers(received, mine);
        found.lookAtTombstones();
        return found;
    }

    private void lookAtMembers(ClusterState side, ClusterState other) {
        for (Member member : side.members()) {
            other.members()
                    .find(member.id())
                    .ifPresentOrElse(
                            there -> {
                                if (member.status().isFurtherThan(there.status())
                                        && member.upNumber() > there.upNumber()) {
                                    numbered.add(member.id());
                                }
                            },
                            () -> {
                                if (member.status().isOnItsWayOut()
                                        && !other.tombstones().has(member.id())) {
                                    kept.add(member.id());
                                }
                            });
        }
    }

    private void lookAtTombstones() {
        Relation relation = mine.version().relationTo(received.version());
        for (NodeId id : union().ids()) {
            long here = mine.tombstones().stampMillisOf(id);
            long there = received.tombstones().stampMillisOf(id);
            boolean takesTheirStamp = relation == Relation.BEFORE || relation != Relation.AFTER && there > here;
            if (here != 0 && there != 0 && here != there && takesTheirStamp) {
                stamped.add(id);
            }
            boolean mineWasLetGo = relation == Relation.BEFORE
                    && there == 0
                    && !received.members().has(id);
            boolean theirsWasLetGo =
                    relation == Relation.AFTER && here == 0 && !mine.members().has(id);
            if (mineWasLetGo || theirsWasLetGo) {
                letGo.add(id);
            }
        }
    }

    boolean areNone() {
        return kept.isEmpty() && numbered.isEmpty() && stamped.isEmpty() && letGo.isEmpty();
    }

    /** Our join with all of these taken back: what theirs must be. */
    ClusterState takenBackFrom(ClusterState joined) {
        List<Member> rows = new ArrayList<>();
        for (Member row : joined.members()) {
            if (!kept.contains(row.id())) {
                rows.add(numbered.contains(row.id()) ? furtherRow(row.id()) : row);
            }
        }
        Members members = Members.of(rows);
        return ClusterState.of(members, union(), wordsAmong(members, joined.reachability()), clock(), SeenSet.NOBODY);
    }

    private Member furtherRow(NodeId id) {
        Member here = mine.members().find(id).orElseThrow();
        Member there = received.members().find(id).orElseThrow();
        return here.status().isFurtherThan(there.status()) ? here : there;
    }

    /** All tombstones of both; where both have one, that of the holder. */
    private Tombstones union() {
        TreeMap<NodeId, Long> stamps = new TreeMap<>();
        for (Tombstones side : List.of(received.tombstones(), mine.tombstones())) {
            side.ids().forEach(id -> stamps.put(id, side.stampMillisOf(id)));
        }
        return Tombstones.of(stamps);
    }

    private static Reachability wordsAmong(Members members, Reachability words) {
        return Reachability.of(words.rows().stream()
                .filter(row -> members.has(row.observer()))
                .map(row -> new ReachabilityRow(
                        row.observer(),
                        row.version(),
                        row.records().stream()
                                .filter(it -> members.has(it.subject()))
                                .toList()))
                .toList());
    }

    /** Without the entries that the side had made whose row is dropped, and without those of the removed. */
    private VectorClock clock() {
        VectorClock clock = without(kept, mine).merge(without(kept, received));
        for (NodeId removed : union().ids()) {
            clock = clock.without(removed.clockKey());
        }
        return clock;
    }

    private static VectorClock without(SortedSet<NodeId> dropped, ClusterState side) {
        VectorClock clock = side.version();
        for (NodeId id : dropped) {
            clock = side.members().has(id) ? clock.without(id.clockKey()) : clock;
        }
        return clock;
    }
}

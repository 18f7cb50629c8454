package dev.muster.core.state;

import dev.muster.core.state.VectorClock.Relation;
import java.util.TreeMap;

/**
 * Brings two cluster states together, whatever happened to either: the join of a semilattice.
 *
 * <p>Content is always joined, even when the clock says that one side is newer. A member is absent, then further and
 * further along its life, then a tombstone; whoever is further wins, and a tombstone always wins. Replacing a state by
 * a newer one, or reading absence as removal, is how removed members come back from the dead.
 *
 * <p>Clocks decide only two things: whether the result <em>is</em> one of the two sides, and which tombstones were let
 * go. Where the joined clock alone would not tell the result from another one, the merging node adds an entry of its
 * own: same version, same content, always.
 */
public final class StateMerge {
    private StateMerge() {}

    /** What a merge turned out to be. */
    public enum Outcome {
        /** Equal versions: only the seen sets were united. */
        SAME,
        /** The other state had everything of mine; it is mine now. */
        TOOK_THEIRS,
        /** Mine had everything of the other. */
        KEPT_MINE,
        /** Each had something that the other had not. */
        MERGED
    }

    public record Result(ClusterState state, Outcome outcome) {}

    /** Merges what {@code self} holds with what it received. {@code self} must be a member of both. */
    public static Result merge(ClusterState mine, ClusterState theirs, NodeId self) {
        if (mine.version().equals(theirs.version()) && mine.sameContentAs(theirs)) {
            SeenSet seen = mine.seen().union(theirs.seen());
            return new Result(mine.withSeen(seen).seenBy(self), Outcome.SAME);
        }
        ClusterState joined = join(mine, theirs);
        if (isExactly(joined, theirs)) {
            return new Result(theirs.seenBy(self), Outcome.TOOK_THEIRS);
        }
        if (isExactly(joined, mine)) {
            return new Result(mine.seenBy(self), Outcome.KEPT_MINE);
        }
        return new Result(underItsOwnVersion(joined, mine, theirs, self), Outcome.MERGED);
    }

    private static boolean isExactly(ClusterState joined, ClusterState side) {
        return joined.version().equals(side.version()) && joined.sameContentAs(side);
    }

    private static ClusterState underItsOwnVersion(
            ClusterState joined, ClusterState mine, ClusterState theirs, NodeId self) {
        VectorClock version = joined.version();
        boolean ambiguous = version.equals(mine.version())
                || version.equals(theirs.version())
                // A removed node's entry was dropped; what that node had changed is no longer told by the clock.
                || !version.equals(mine.version().merge(theirs.version()));
        return new ClusterState(
                        joined.members(),
                        joined.tombstones(),
                        joined.reachability(),
                        ambiguous ? version.increment(self.clockKey()) : version,
                        SeenSet.NOBODY)
                .seenBy(self);
    }

    /** The join itself, seen by nobody yet. Commutative, associative, idempotent; see the laws in the tests. */
    public static ClusterState join(ClusterState a, ClusterState b) {
        Tombstones tombstones = joinTombstones(a, b);
        Members members = a.members().join(b.members(), tombstones);
        Reachability reachability = wordsOf(a, tombstones, members).join(wordsOf(b, tombstones, members));
        VectorClock version = a.version().merge(b.version());
        for (NodeId removed : tombstones.ids()) {
            version = version.without(removed.clockKey());
        }
        return new ClusterState(members, tombstones, reachability, version, SeenSet.NOBODY);
    }

    /** What a side says, without those that the other side knows to be removed. */
    private static Reachability wordsOf(ClusterState side, Tombstones tombstones, Members members) {
        return side.tombstones() == tombstones
                ? side.reachability()
                : side.reachability().keeping(members);
    }

    /**
     * A strictly newer state that lacks a tombstone has let it go, since it knew of it. Concurrent ones cannot know, so
     * all are kept. Where the newer state still has a row for somebody with a tombstone, the tombstone stays.
     */
    private static Tombstones joinTombstones(ClusterState a, ClusterState b) {
        Relation relation = a.version().relationTo(b.version());
        return switch (relation) {
            case SAME, CONCURRENT -> a.tombstones().union(b.tombstones());
            case BEFORE -> b.tombstones().union(stillNeeded(a.tombstones(), b.members()));
            case AFTER -> a.tombstones().union(stillNeeded(b.tombstones(), a.members()));
        };
    }

    private static Tombstones stillNeeded(Tombstones older, Members newerMembers) {
        TreeMap<NodeId, Long> needed = new TreeMap<>();
        for (NodeId id : older.ids()) {
            if (newerMembers.has(id)) {
                needed.put(id, older.stampMillisOf(id));
            }
        }
        return Tombstones.of(needed);
    }
}

package dev.muster.core.state;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.function.Predicate;

/**
 * All that members gossip about membership, as one immutable value: rows, tombstones, who cannot reach whom, the
 * version, and who has seen exactly this version.
 *
 * <p>Everything but the seen set is a join semilattice, see {@link StateMerge}. A local change counts up the author's
 * entry in the version and leaves only the author in the seen set.
 */
public final class ClusterState {
    public static final ClusterState EMPTY = new ClusterState(
            Members.NONE, Tombstones.NONE, Reachability.ALL_REACHABLE, VectorClock.EMPTY, SeenSet.NOBODY);

    private final Members members;
    private final Tombstones tombstones;
    private final Reachability reachability;
    private final VectorClock version;
    private final SeenSet seen;
    private SeenDigest digest; // made once on demand
    private SortedSet<NodeId> unreachable; // found once on demand; a matter of content, so it outlives the seen set

    ClusterState(Members members, Tombstones tombstones, Reachability reachability, VectorClock version, SeenSet seen) {
        this.members = members;
        this.tombstones = tombstones;
        this.reachability = reachability;
        this.version = version;
        this.seen = seen;
    }

    /**
     * A state from its parts, as a decoder has them. Refuses parts that do not fit together.
     *
     * @throws IllegalArgumentException naming what refers to a node that is no member, or is both member and removed
     */
    public static ClusterState of(
            Members members, Tombstones tombstones, Reachability reachability, VectorClock version, SeenSet seen) {
        for (ReachabilityRow row : reachability.rows()) {
            requireMember(members, row.observer(), "a reachability row of ");
            row.records().forEach(r -> requireMember(members, r.subject(), "a reachability record on "));
        }
        for (NodeId removed : tombstones.ids()) {
            if (members.has(removed)) {
                throw new IllegalArgumentException("state has both a row and a tombstone of " + removed);
            }
        }
        if (seen.length() > members.size()) {
            throw new IllegalArgumentException(
                    "state was seen by number " + (seen.length() - 1) + " of only " + members.size() + " members");
        }
        return new ClusterState(members, tombstones, reachability, version, seen);
    }

    private static void requireMember(Members members, NodeId id, String what) {
        if (!members.has(id)) {
            throw new IllegalArgumentException("state has " + what + id + ", which is no member of it");
        }
    }

    public Members members() {
        return members;
    }

    public Tombstones tombstones() {
        return tombstones;
    }

    public Reachability reachability() {
        return reachability;
    }

    public VectorClock version() {
        return version;
    }

    public SeenSet seen() {
        return seen;
    }

    public SeenDigest seenDigest() {
        SeenDigest made = digest;
        if (made == null) {
            made = new SeenDigest(members, seen);
            digest = made;
        }
        return made;
    }

    public boolean isSeenBy(NodeId id) {
        return seen.contains(members.ordinalOf(id));
    }

    public ClusterState seenBy(NodeId id) {
        int ordinal = members.ordinalOf(id);
        if (ordinal < 0) {
            throw new IllegalStateException(id + " cannot have seen a state in which it is no member");
        }
        return withSeen(seen.with(ordinal));
    }

    /** This state as seen by these too, by their ordinals. */
    public ClusterState seenAlsoBy(SeenSet others) {
        return withSeen(seen.union(others));
    }

    ClusterState withSeen(SeenSet next) {
        if (next == seen) {
            return this;
        }
        ClusterState changed = new ClusterState(members, tombstones, reachability, version, next);
        changed.unreachable = unreachable;
        return changed;
    }

    /** The next state after a change by {@code author}: its clock entry counts up, and only it has seen the result. */
    public ClusterState changed(NodeId author, Members nextMembers, Reachability nextReachability) {
        return successor(author, nextMembers, tombstones, nextReachability, version);
    }

    public ClusterState withMember(NodeId author, Member member) {
        return changed(author, members.with(member), reachability);
    }

    public ClusterState withReachability(NodeId author, Reachability next) {
        return changed(author, members, next);
    }

    /** The change by which the author removes members: rows, words, clock entries go; tombstones come. */
    public ClusterState withRemoved(NodeId author, Members nextMembers, List<NodeId> removed, long stampMillis) {
        Tombstones nextTombstones = tombstones;
        VectorClock nextVersion = version;
        for (NodeId id : removed) {
            nextTombstones = nextTombstones.with(id, stampMillis);
            nextVersion = nextVersion.without(id.clockKey());
        }
        Members left = nextMembers.without(nextTombstones);
        return successor(author, left, nextTombstones, reachability.keeping(left), nextVersion);
    }

    /** The change by which the leader lets go of tombstones that are old enough and known to everybody. */
    public ClusterState withoutTombstones(NodeId author, List<NodeId> expired) {
        return successor(author, members, tombstones.without(expired), reachability, version);
    }

    private static ClusterState successor(
            NodeId author, Members members, Tombstones tombstones, Reachability reachability, VectorClock version) {
        int ordinal = members.ordinalOf(author);
        SeenSet seen = ordinal < 0 ? SeenSet.NOBODY : SeenSet.only(ordinal);
        return new ClusterState(members, tombstones, reachability, version.increment(author.clockKey()), seen);
    }

    /** True for observers whose words count: members that are not down. */
    public boolean isTrustedObserver(NodeId observer) {
        int ordinal = members.ordinalOf(observer);
        return ordinal >= 0 && members.get(ordinal).status() != MemberStatus.DOWN;
    }

    /** What the cluster as a whole says of a member: the strongest word of any observer that is not down. */
    public ReachabilityStatus reachabilityOf(NodeId subject) {
        return reachability.aggregate(subject, trustedObservers());
    }

    public boolean isReachable(NodeId subject) {
        return !unreachable().contains(subject);
    }

    /** All members that some observer that is not down holds unreachable or terminated. */
    public SortedSet<NodeId> unreachable() {
        SortedSet<NodeId> found = unreachable;
        if (found == null) {
            found = reachability.isAllReachable()
                    ? Collections.emptySortedSet()
                    : Collections.unmodifiableSortedSet(reachability.subjectsAccusedBy(trustedObservers()));
            unreachable = found;
        }
        return found;
    }

    public Predicate<NodeId> trustedObservers() {
        return this::isTrustedObserver;
    }

    /** This state as if nobody said anything of these subjects; only for thinking about it, never to be gossiped. */
    public ClusterState disregarding(SortedSet<NodeId> subjects) {
        return subjects.isEmpty()
                ? this
                : new ClusterState(members, tombstones, reachability.disregarding(subjects), version, seen);
    }

    /** Same rows, tombstones and words, whoever has seen them and under whatever version. */
    public boolean sameContentAs(ClusterState other) {
        return this == other
                || members.equals(other.members)
                        && tombstones.equals(other.tombstones)
                        && reachability.equals(other.reachability);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof ClusterState that
                        && version.equals(that.version)
                        && sameContentAs(that)
                        && seen.equals(that.seen);
    }

    @Override
    public int hashCode() {
        return Objects.hash(members, tombstones, reachability, version);
    }

    @Override
    public String toString() {
        return "version " + version + ", " + members + ", seen by " + seen.count()
                + (tombstones.isEmpty() ? "" : ", removed " + tombstones)
                + (reachability.isAllReachable() ? "" : ", " + reachability);
    }
}

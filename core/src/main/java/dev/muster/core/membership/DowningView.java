package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/**
 * What the downing rules look at in a cluster state: who is heard, who is not, and who accuses whom.
 *
 * <p>Heard is whoever has seen the very version that is looked at. Each accusation makes a new version, so once the
 * gossip has gone round, those who have seen it are on this side of whatever broke, and those who have not are
 * elsewhere or dead. Members that are down are left out altogether; nobody is accused for being exiting, since the
 * leader removes exiting members that cannot be reached anyway.
 */
final class DowningView {
    /** One member says of another that it cannot be reached. */
    record Accusation(NodeId observer, NodeId subject) implements Comparable<Accusation> {
        @Override
        public int compareTo(Accusation other) {
            int byObserver = observer.compareTo(other.observer);
            return byObserver != 0 ? byObserver : subject.compareTo(other.subject);
        }

        boolean concerns(NodeId id) {
            return observer.equals(id) || subject.equals(id);
        }

        NodeId otherThan(NodeId id) {
            return observer.equals(id) ? subject : observer;
        }
    }

    private final ClusterState state;
    private final SortedMap<NodeId, Member> heard = new TreeMap<>();
    private final SortedMap<NodeId, Member> unheard = new TreeMap<>();
    private final List<Member> down = new ArrayList<>();
    private final List<Accusation> accusations;
    private final SortedSet<NodeId> accusedByHeard = new TreeSet<>();

    DowningView(ClusterState state) {
        this.state = state;
        Members members = state.members();
        for (int i = 0; i < members.size(); i++) {
            Member member = members.get(i);
            if (member.status() == MemberStatus.DOWN) {
                down.add(member);
            } else {
                (state.seen().contains(i) ? heard : unheard).put(member.id(), member);
            }
        }
        accusations = accusationsIn(state);
        for (Accusation accusation : accusations) {
            if (heard.containsKey(accusation.observer())) {
                accusedByHeard.add(accusation.subject());
            }
        }
    }

    /** Who accuses whom, in order, where both are members that are not down and the accused is not exiting either. */
    static List<Accusation> accusationsIn(ClusterState state) {
        List<Accusation> found = new ArrayList<>();
        for (ReachabilityRow row : state.reachability().rows()) {
            if (!row.records().isEmpty() && state.isTrustedObserver(row.observer())) {
                for (ReachabilityRow.Observation record : row.records()) {
                    if (record.status() != ReachabilityStatus.REACHABLE
                            && !record.subject().equals(row.observer())
                            && mayBeAccused(state.members().statusOf(record.subject()))) {
                        found.add(new Accusation(row.observer(), record.subject()));
                    }
                }
            }
        }
        return found;
    }

    /** Whether its observer is still listened to and its subject may still be accused. */
    static boolean mayStand(Accusation accusation, ClusterState state) {
        return state.isTrustedObserver(accusation.observer())
                && mayBeAccused(state.members().statusOf(accusation.subject()));
    }

    private static boolean mayBeAccused(MemberStatus status) {
        return !status.isOnItsWayOut() && status != MemberStatus.REMOVED;
    }

    SortedMap<NodeId, Member> heard() {
        return heard;
    }

    SortedMap<NodeId, Member> unheard() {
        return unheard;
    }

    /** Declared down and not removed yet. */
    List<Member> down() {
        return down;
    }

    List<Accusation> accusations() {
        return accusations;
    }

    /** Accusations between members that are both heard: some link is broken, but not between two sides. */
    List<Accusation> quarrels() {
        return accusations.stream().filter(this::isQuarrel).toList();
    }

    boolean isQuarrel(Accusation accusation) {
        return heard.containsKey(accusation.subject()) && isHeardAndStays(accusation.observer());
    }

    /** For each member that quarrels the ones it quarrels with. */
    SortedMap<NodeId, SortedSet<NodeId>> quarrelling() {
        return opponentsIn(quarrels());
    }

    /** For each member that accuses or is accused the ones at the other end. */
    static SortedMap<NodeId, SortedSet<NodeId>> opponentsIn(List<Accusation> accusations) {
        SortedMap<NodeId, SortedSet<NodeId>> opponents = new TreeMap<>();
        for (Accusation accusation : accusations) {
            opponents
                    .computeIfAbsent(accusation.observer(), o -> new TreeSet<>())
                    .add(accusation.subject());
            opponents
                    .computeIfAbsent(accusation.subject(), s -> new TreeSet<>())
                    .add(accusation.observer());
        }
        return opponents;
    }

    private boolean isHeardAndStays(NodeId id) {
        Member member = heard.get(id);
        return member != null && member.status() != MemberStatus.EXITING;
    }

    boolean isAccusedByHeard(NodeId id) {
        return accusedByHeard.contains(id);
    }

    /**
     * Members that count, are not heard, and whom nobody who is heard accuses: either gossip has not gone round yet, or
     * nobody has noticed yet that they are gone. As long as there are any, it is too early to decide.
     */
    SortedSet<NodeId> undetermined() {
        SortedSet<NodeId> found = new TreeSet<>();
        for (Member member : unheard.values()) {
            if (member.status().countsForConvergence() && !isAccusedByHeard(member.id())) {
                found.add(member.id());
            }
        }
        return found;
    }

    /**
     * Whether a leader action can have happened that this side has not heard of. Such actions need convergence, and
     * with everybody reachable the first member that counts is the one who leads; if it is heard, so is what it did.
     * One that was declared down since may have led too.
     */
    boolean mayMissLeaderActions() {
        for (Member member : state.members()) {
            if (member.status().countsForConvergence() || member.status() == MemberStatus.DOWN) {
                return !heard.containsKey(member.id());
            }
        }
        return true;
    }

    /**
     * Who is heard, in the order in which they are to act: whoever nobody heard accuses first, then as for leaders.
     * Whoever died after having seen this version is accused, and so nobody waits for it.
     */
    List<NodeId> deciders() {
        List<Member> order = new ArrayList<>(heard.values());
        order.sort(Comparator.comparing((Member m) -> isAccusedByHeard(m.id()))
                .thenComparingInt(m -> leaderRank(m.status()))
                .thenComparing(Member::id));
        return order.stream().map(Member::id).toList();
    }

    private static int leaderRank(MemberStatus status) {
        return switch (status) {
            case WEAKLY_UP -> 1;
            case JOINING -> 2;
            case EXITING -> 3;
            default -> 0;
        };
    }

    /** Whom to keep rather than another when one of them must go: who stays before who leaves, then the older. */
    Comparator<NodeId> keepFirst() {
        return Comparator.comparing(
                heard::get,
                Comparator.<Member>comparingInt(m -> keepRank(m.status()))
                        .thenComparingInt(Member::upNumber)
                        .thenComparing(Member::id));
    }

    /** As {@link #keepFirst()}, but before all else whoever has fewer opponents. */
    Comparator<NodeId> keepFirst(ToIntFunction<NodeId> opponents) {
        return Comparator.comparingInt(opponents).thenComparing(keepFirst());
    }

    private static int keepRank(MemberStatus status) {
        if (status.isNotYetUp()) {
            return 2;
        }
        return status == MemberStatus.LEAVING ? 1 : 0;
    }

    /** Names for people to read; of a large cluster only the first few. */
    static String names(SortedSet<NodeId> ids) {
        List<String> shown =
                ids.stream().limit(MOST_NAMES).map(NodeId::toString).toList();
        int more = ids.size() - shown.size();
        return more == 0 ? shown.toString() : shown + " and " + more + " more";
    }

    private static final int MOST_NAMES = 10;

    static SortedSet<NodeId> frozen(SortedSet<NodeId> ids) {
        return Collections.unmodifiableSortedSet(new TreeSet<>(ids));
    }
}

package dev.muster.core.membership;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Cluster states for tests of downing, written down in a line or two. Members are named by words, lowest address and
 * oldest first unless said otherwise; at first all are up and have seen the state.
 */
public final class DowningStates {
    private final TreeMap<String, Member> members = new TreeMap<>();
    private final List<String[]> accusations = new ArrayList<>();
    private final TreeSet<String> seen = new TreeSet<>();
    private VectorClock version = VectorClock.EMPTY;

    public static DowningStates cluster(String names) {
        DowningStates states = new DowningStates();
        for (String name : names.split(" ")) {
            states.members.put(
                    name, new Member(id(name), MemberStatus.UP, states.members.size() + 1, List.of("dc-default"), "1"));
            states.seen.add(name);
        }
        return states;
    }

    public static NodeId id(String name) {
        return new NodeId(new NodeAddress("muster", "test", name, 2552), 1);
    }

    public static SortedSet<NodeId> ids(String names) {
        SortedSet<NodeId> ids = new TreeSet<>();
        for (String name : names.isEmpty() ? new String[0] : names.split(" ")) {
            ids.add(id(name));
        }
        return ids;
    }

    /** The names of ids, in order, separated by blanks. */
    public static String names(Iterable<NodeId> ids) {
        List<String> names = new ArrayList<>();
        ids.forEach(id -> names.add(id.address().host()));
        return String.join(" ", names);
    }

    public DowningStates are(MemberStatus status, String names) {
        for (String name : names.split(" ")) {
            Member old = members.get(name);
            int number = status.isNotYetUp() ? Member.NOT_YET_UP : old.upNumber();
            members.put(name, new Member(old.id(), status, number, old.roles(), old.appVersion()));
        }
        return this;
    }

    public DowningStates oldestFirst(String names) {
        int number = 1;
        for (String name : names.split(" ")) {
            members.put(name, members.get(name).up(number++));
        }
        return this;
    }

    public DowningStates haveRole(String role, String names) {
        for (String name : names.split(" ")) {
            Member old = members.get(name);
            List<String> roles = List.of("dc-default", role);
            members.put(name, new Member(old.id(), old.status(), old.upNumber(), roles, old.appVersion()));
        }
        return this;
    }

    public DowningStates accuse(String observers, String subjects) {
        for (String observer : observers.split(" ")) {
            for (String subject : subjects.split(" ")) {
                accusations.add(new String[] {observer, subject});
            }
        }
        return this;
    }

    public DowningStates seenBy(String names) {
        seen.clear();
        seen.addAll(List.of(names.split(" ")));
        return this;
    }

    /** As these see it after a cut between them and all others: they have seen the state, and accuse all others. */
    public DowningStates cutOff(String side) {
        seenBy(side);
        TreeSet<String> others = new TreeSet<>(members.keySet());
        others.removeAll(seen);
        if (!others.isEmpty()) {
            accuse(side, String.join(" ", others));
        }
        return this;
    }

    /** Makes the state a later version, of which nothing is known but that it is not the one before. */
    public DowningStates changedBy(String author) {
        version = version.increment(id(author).clockKey());
        return this;
    }

    public ClusterState state() {
        Members rows = Members.of(members.values());
        Reachability reachability = Reachability.ALL_REACHABLE;
        for (String[] accusation : accusations) {
            reachability = reachability.marked(id(accusation[0]), id(accusation[1]), ReachabilityStatus.UNREACHABLE);
        }
        SeenSet seenSet = SeenSet.NOBODY;
        for (String name : seen) {
            seenSet = seenSet.with(rows.ordinalOf(id(name)));
        }
        return ClusterState.of(rows, Tombstones.NONE, reachability, version, seenSet);
    }
}

package dev.muster.interop.rules;

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
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Draws cluster states, small and strange ones most of all. */
final class Cases {
    private static final MemberStatus[] STATUSES = {
        MemberStatus.JOINING,
        MemberStatus.WEAKLY_UP,
        MemberStatus.UP,
        MemberStatus.UP,
        MemberStatus.UP,
        MemberStatus.PREPARING_FOR_SHUTDOWN,
        MemberStatus.LEAVING,
        MemberStatus.EXITING,
        MemberStatus.DOWN,
        MemberStatus.READY_FOR_SHUTDOWN
    };
    private static final int MOST_MEMBERS = 8;

    private final RandomGenerator random;

    Cases(RandomGenerator random) {
        this.random = random;
    }

    ClusterState state() {
        return state(1 + random.nextInt(MOST_MEMBERS));
    }

    /** One with this many members, each at an address of its own. */
    ClusterState state(int size) {
        TreeMap<NodeAddress, NodeId> ids = new TreeMap<>();
        while (ids.size() < size) {
            NodeId id = node();
            ids.putIfAbsent(id.address(), id);
        }
        List<Member> rows = new ArrayList<>();
        for (NodeId id : ids.values()) {
            MemberStatus status = STATUSES[random.nextInt(STATUSES.length)];
            int upNumber = status.isNotYetUp() ? Member.NOT_YET_UP : 1 + random.nextInt(size);
            List<String> roles = random.nextBoolean() ? List.of("dc-default") : List.of("backend", "dc-default");
            rows.add(new Member(id, status, upNumber, roles, random.nextBoolean() ? "0.0.0" : "1.2.3"));
        }
        SeenSet seen = SeenSet.NOBODY;
        int keen = random.nextInt(6); // often nearly all
        for (int i = 0; i < size; i++) {
            seen = random.nextInt(6) <= keen ? seen.with(i) : seen;
        }
        return ClusterState.of(Members.of(rows), tombstones(), reachability(rows), clock(rows), seen);
    }

    /** One whose version is near that of the other: equal, older, newer or neither. */
    VectorClock near(VectorClock version) {
        TreeMap<String, Long> entries = new TreeMap<>();
        for (int i = 0; i < version.size(); i++) {
            if (random.nextInt(8) > 0) {
                entries.put(version.key(i), Math.max(1, version.counter(i) + random.nextInt(3) - 1));
            }
        }
        if (random.nextInt(6) == 0) {
            entries.put(node().clockKey(), 1L);
        }
        return clockOf(random.nextInt(4) == 0 ? entriesOf(version) : entries);
    }

    private static TreeMap<String, Long> entriesOf(VectorClock version) {
        TreeMap<String, Long> entries = new TreeMap<>();
        for (int i = 0; i < version.size(); i++) {
            entries.put(version.key(i), version.counter(i));
        }
        return entries;
    }

    private static VectorClock clockOf(TreeMap<String, Long> entries) {
        return VectorClock.of(
                entries.keySet().toArray(new String[0]),
                entries.values().stream().mapToLong(Long::longValue).toArray());
    }

    private NodeId node() {
        String host = random.nextInt(3) == 0 ? "Node-" + random.nextInt(30) : "10.0.0." + random.nextInt(40);
        long uid = random.nextInt(4) == 0 ? random.nextInt(3) - 1 : random.nextLong();
        return new NodeId(new NodeAddress("pekko", "mixed", host, 1 + random.nextInt(20_000)), uid);
    }

    private Tombstones tombstones() {
        TreeMap<NodeId, Long> stamps = new TreeMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            stamps.put(new NodeId(new NodeAddress("pekko", "mixed", "gone-" + i, 7), i), 1_700_000_000_000L + i);
        }
        return Tombstones.of(stamps);
    }

    private Reachability reachability(List<Member> rows) {
        Reachability reachability = Reachability.ALL_REACHABLE;
        ReachabilityStatus[] words = ReachabilityStatus.values();
        for (int i = random.nextInt(4); i > 0; i--) {
            NodeId observer = rows.get(random.nextInt(rows.size())).id();
            NodeId subject = rows.get(random.nextInt(rows.size())).id();
            if (!observer.equals(subject)) {
                reachability = reachability.marked(observer, subject, words[random.nextInt(words.length)]);
            }
        }
        return reachability;
    }

    private VectorClock clock(List<Member> rows) {
        TreeMap<String, Long> entries = new TreeMap<>();
        for (Member row : rows) {
            if (random.nextInt(4) > 0) {
                entries.put(row.id().clockKey(), 1L + random.nextInt(5));
            }
        }
        return clockOf(entries);
    }
}

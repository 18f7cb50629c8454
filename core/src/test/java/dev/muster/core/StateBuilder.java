package dev.muster.core;

import static dev.muster.core.Nodes.node;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityStatus;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** A cluster state said in one sentence: {@code aState().up("a", "b").joining("c").seenBy("a").build()}. */
public final class StateBuilder {
    private final List<Member> members = new ArrayList<>();
    private final TreeMap<NodeId, Long> tombstones = new TreeMap<>();
    private final List<NodeId> seen = new ArrayList<>();
    private Reachability reachability = Reachability.ALL_REACHABLE;
    private VectorClock version = VectorClock.EMPTY;
    private boolean seenByAll;

    private StateBuilder() {}

    public static StateBuilder aState() {
        return new StateBuilder();
    }

    /** Up, with up numbers in the order of mention. */
    public StateBuilder up(String... hosts) {
        for (String host : hosts) {
            members.add(Nodes.up(host, members.size() + 1));
        }
        return this;
    }

    public StateBuilder joining(String... hosts) {
        return with(MemberStatus.JOINING, hosts);
    }

    public StateBuilder down(String... hosts) {
        return with(MemberStatus.DOWN, hosts);
    }

    public StateBuilder with(MemberStatus status, String... hosts) {
        for (String host : hosts) {
            members.add(Nodes.member(host, status));
        }
        return this;
    }

    public StateBuilder with(Member member) {
        members.add(member);
        return this;
    }

    public StateBuilder unreachable(String observer, String subject) {
        return says(observer, subject, ReachabilityStatus.UNREACHABLE);
    }

    public StateBuilder says(String observer, String subject, ReachabilityStatus word) {
        return says(node(observer), node(subject), word);
    }

    public StateBuilder says(NodeId observer, NodeId subject, ReachabilityStatus word) {
        reachability = reachability.marked(observer, subject, word);
        return this;
    }

    public StateBuilder removed(String... hosts) {
        for (String host : hosts) {
            tombstones.put(node(host), 1_000L);
        }
        return this;
    }

    public StateBuilder version(String host, long counter) {
        version = version.merge(VectorClock.of(new String[] {node(host).clockKey()}, new long[] {counter}));
        return this;
    }

    public StateBuilder seenBy(String... hosts) {
        seen.addAll(Nodes.nodes(hosts));
        return this;
    }

    public StateBuilder seenByAll() {
        seenByAll = true;
        return this;
    }

    public ClusterState build() {
        Members rows = Members.of(members);
        SeenSet eyes = SeenSet.NOBODY;
        for (int i = 0; i < rows.size(); i++) {
            eyes = seenByAll || seen.contains(rows.get(i).id()) ? eyes.with(i) : eyes;
        }
        return ClusterState.of(rows, Tombstones.of(tombstones), reachability, version, eyes);
    }
}

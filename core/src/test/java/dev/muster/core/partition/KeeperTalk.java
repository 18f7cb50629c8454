package dev.muster.core.partition;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import java.util.ArrayList;
import java.util.List;

/** Members, partitions and instances for tests of whole keepers, in few words. */
final class KeeperTalk {
    static final List<String> MUSTER = List.of("dc-default", "muster-1");
    static final List<String> BACKEND = List.of("backend", "dc-default", "muster-1");
    static final List<String> ELSE = List.of("dc-default");

    static NodeId node(int number) {
        return new NodeId(new NodeAddress("muster", "test", String.format("n%03d", number), 1), number);
    }

    static Member up(int number, List<String> roles) {
        return new Member(node(number), MemberStatus.UP, number, roles, "1");
    }

    static List<Member> ups(int count) {
        List<Member> members = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            members.add(up(i, MUSTER));
        }
        return members;
    }

    static ClusterState state(List<Member> members) {
        return state(members, Tombstones.NONE);
    }

    static ClusterState state(List<Member> members, Tombstones tombstones) {
        return ClusterState.of(
                Members.of(members),
                tombstones,
                Reachability.ALL_REACHABLE,
                VectorClock.of(new String[0], new long[0]),
                SeenSet.NOBODY);
    }

    static PartitionSpec spec(int instances) {
        return new PartitionSpec(instances, "", HandoffPolicy.stateless());
    }

    static PartitionPath path(String text) {
        return new PartitionPath(text);
    }

    static List<NodeId> nodes(int... numbers) {
        List<NodeId> nodes = new ArrayList<>();
        for (int number : numbers) {
            nodes.add(node(number));
        }
        return nodes;
    }

    static List<NodeId> instances(KeeperWorld world, String path) {
        return world.table().find(path(path)).map(PartitionEntry::instances).orElse(List.of());
    }

    static PartitionSpec alone(int instances) {
        return new PartitionSpec(instances, "", HandoffPolicy.singleton());
    }

    static List<Member> with(List<Member> members, MemberStatus status, int... numbers) {
        List<NodeId> chosen = nodes(numbers);
        return members.stream()
                .map(it -> chosen.contains(it.id()) ? new Member(it.id(), status, it.upNumber(), MUSTER, "1") : it)
                .toList();
    }

    private KeeperTalk() {}
}

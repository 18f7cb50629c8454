package dev.muster.core;

import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.Arrays;
import java.util.List;

/** Nodes in the fewest words. The uid of "a" is 1, of "b" 2 and so on: ring order is name order. */
public final class Nodes {
    private Nodes() {}

    public static NodeAddress address(String host) {
        return new NodeAddress("muster", "test", host, 2552);
    }

    public static NodeId node(String host) {
        return node(host, host.charAt(host.length() - 1) - 'a' + 1);
    }

    public static NodeId node(String host, long uid) {
        return new NodeId(address(host), uid);
    }

    public static List<NodeId> nodes(String... hosts) {
        return Arrays.stream(hosts).map(Nodes::node).toList();
    }

    public static Member member(String host, MemberStatus status) {
        return member(node(host), status);
    }

    public static Member member(NodeId id, MemberStatus status) {
        return new Member(
                id, status, status.isNotYetUp() ? Member.NOT_YET_UP : 1, List.of(), Member.DEFAULT_APP_VERSION);
    }

    public static Member up(String host, int upNumber) {
        return member(host, MemberStatus.UP).up(upNumber);
    }

    public static Member withRoles(Member member, String... roles) {
        return new Member(member.id(), member.status(), member.upNumber(), List.of(roles), member.appVersion());
    }
}

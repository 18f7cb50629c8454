package dev.muster.node.http;

import dev.muster.core.membership.Leader;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Members as JSON fields, by the names that Akka's and Pekko's management have, and a few more. */
final class MembersView {

    private MembersView() {}

    /** Everybody, as one node sees it. */
    static Map<String, Object> of(NodeId self, ClusterState state) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("selfNode", self.address().toString());
        fields.put("members", state.members().stream().map(MembersView::of).toList());
        fields.put("unreachable", unreachable(state));
        Leader.of(state, self)
                .ifPresent(leader -> fields.put("leader", leader.address().toString()));
        oldest(state, Optional.empty()).ifPresent(oldest -> fields.put("oldest", oldest));
        fields.put("oldestPerRole", oldestPerRole(state));
        return fields;
    }

    /** One member. The uid is a text, because many readers of JSON cannot hold 64 bits in a number. */
    static Map<String, Object> of(Member member) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("node", member.id().address().toString());
        fields.put("nodeUid", Long.toString(member.id().uid()));
        fields.put("status", member.status().displayName());
        fields.put("roles", member.roles());
        fields.put("dataCenter", member.dataCenter());
        fields.put("appVersion", member.appVersion());
        if (member.hasBeenUp()) {
            fields.put("upNumber", member.upNumber());
        }
        return fields;
    }

    private static List<Map<String, Object>> unreachable(ClusterState state) {
        List<Map<String, Object>> list = new ArrayList<>();
        SortedMap<NodeId, SortedSet<NodeId>> accusations = state.reachability().accusations(state.trustedObservers());
        accusations.forEach((subject, observers) -> {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("node", subject.address().toString());
            fields.put(
                    "observedBy",
                    observers.stream().map(it -> it.address().toString()).toList());
            list.add(fields);
        });
        return list;
    }

    private static Map<String, String> oldestPerRole(ClusterState state) {
        Map<String, String> byRole = new TreeMap<>();
        state.members().stream()
                .flatMap(member -> member.roles().stream())
                .distinct()
                .forEach(role -> oldest(state, Optional.of(role)).ifPresent(oldest -> byRole.put(role, oldest)));
        return byRole;
    }

    private static Optional<String> oldest(ClusterState state, Optional<String> role) {
        return state.members().stream()
                .filter(member -> member.status() == MemberStatus.UP)
                .filter(member -> role.isEmpty() || member.hasRole(role.get()))
                .min(Comparator.comparingInt(Member::upNumber).thenComparing(Member::id))
                .map(member -> member.id().address().toString());
    }
}

package dev.muster.node.http;

import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.VectorClock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a node gossips, as JSON fields: version, who has seen it, and whether that is everybody. */
final class GossipView {

    private GossipView() {}

    static Map<String, Object> of(ClusterSnapshot snapshot, ConvergenceHistory.Since since, List<String> why) {
        ClusterState state = snapshot.state();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("selfNode", snapshot.self().address().toString());
        fields.put("version", version(state));
        fields.put("versionSince", since.version().toString());
        fields.put("seen", seen(state, true));
        fields.put("notSeen", seen(state, false));
        fields.put("converged", snapshot.converged());
        fields.put("since", since.convergence().toString());
        fields.put("why", String.join("; ", why));
        fields.put(
                "removed",
                state.tombstones().ids().stream().map(NodeId::toString).toList());
        return fields;
    }

    /** Clock entries by the address of their owner; by their key, if that node is no member any more. */
    private static Map<String, Long> version(ClusterState state) {
        Map<String, String> owners = state.members().stream()
                .collect(Collectors.toMap(
                        member -> member.id().clockKey(), member -> member.id().toString()));
        VectorClock clock = state.version();
        Map<String, Long> entries = new LinkedHashMap<>();
        for (int i = 0; i < clock.size(); i++) {
            entries.put(owners.getOrDefault(clock.key(i), clock.key(i)), clock.counter(i));
        }
        return entries;
    }

    private static List<String> seen(ClusterState state, boolean seen) {
        return state.members().stream()
                .map(Member::id)
                .filter(id -> state.isSeenBy(id) == seen)
                .map(id -> id.address().toString())
                .toList();
    }
}

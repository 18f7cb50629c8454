package dev.muster.node.http;

import dev.muster.cluster.Cluster;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who says what of whom, as JSON fields. Of the nodes that the asked node watches itself also its doubt right now; what
 * others think in numbers only they know.
 */
final class ReachabilityView {

    /** Doubt has no upper end, and JSON has no word for infinity. */
    private static final double MOST_PHI = 1_000;

    private ReachabilityView() {}

    static Map<String, Object> of(ClusterSnapshot snapshot, List<Cluster.Heartbeats> watched) {
        Reachability reachability = snapshot.state().reachability();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Cluster.Heartbeats heartbeats : watched) {
            Map<String, Object> row = row(snapshot.self(), heartbeats.subject(), reachability);
            row.put("phi", Math.min(MOST_PHI, Math.rint(heartbeats.phi() * 1_000) / 1_000));
            if (heartbeats.lastHeartbeatAgeMillis() >= 0) {
                row.put("lastHeartbeatAgeMillis", heartbeats.lastHeartbeatAgeMillis());
            }
            rows.add(row);
        }
        List<NodeId> own = watched.stream().map(Cluster.Heartbeats::subject).toList();
        for (ReachabilityRow said : reachability.rows()) {
            for (ReachabilityRow.Observation observation : said.records()) {
                if (!said.observer().equals(snapshot.self()) || !own.contains(observation.subject())) {
                    rows.add(row(said.observer(), observation.subject(), reachability));
                }
            }
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("selfNode", snapshot.self().address().toString());
        fields.put("reachability", rows);
        return fields;
    }

    private static Map<String, Object> row(NodeId observer, NodeId subject, Reachability reachability) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("observer", observer.address().toString());
        row.put("subject", subject.address().toString());
        row.put("status", reachability.statusOf(observer, subject).displayName());
        return row;
    }
}

package dev.muster.node.http;

import dev.muster.cluster.Cluster;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.partition.LoadTable;
import dev.muster.core.partition.Move;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Where partitions run, as JSON fields. */
final class PartitionsView {
    private PartitionsView() {}

    static Map<String, Object> of(Cluster cluster) {
        return after(cluster, List.of());
    }

    /** As it would be after these moves. */
    static Map<String, Object> after(Cluster cluster, List<Move> moves) {
        ClusterSnapshot snapshot = cluster.snapshot();
        LoadTable loads = cluster.loads();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (PartitionEntry entry : snapshot.partitions().entries().values()) {
            if (!entry.isDeleted()) {
                rows.add(row(entry, instancesAfter(entry, moves), snapshot, loads));
            }
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("selfNode", snapshot.self().address().toString());
        fields.put("revision", snapshot.partitions().revision());
        fields.put("converged", snapshot.partitionsConverged());
        fields.put("partitions", rows);
        return fields;
    }

    private static Map<String, Object> row(
            PartitionEntry entry, List<NodeId> instances, ClusterSnapshot snapshot, LoadTable loads) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("path", entry.path().text());
        row.put("instances", names(instances));
        row.put("unreachable", names(unreachable(instances, snapshot)));
        row.put("waiting", waiting(entry, instances, loads));
        row.put("wanted", entry.spec().instances());
        row.put("most", entry.spec().most());
        row.put("hint", entry.spec().hint());
        row.put("role", entry.spec().role());
        row.put("policy", entry.spec().policy().presetName().orElse("other"));
        row.put("options", entry.spec().policy().toString());
        row.put("epoch", entry.epoch());
        row.put("writtenBy", entry.writer().address().toString());
        entry.move().ifPresent(move -> row.put("move", move(move)));
        return row;
    }

    /**
     * The hosts of whose instances this node cannot say that they run. Of its own it can, whatever others say of it.
     */
    static List<NodeId> unreachable(List<NodeId> hosts, ClusterSnapshot snapshot) {
        ClusterState state = snapshot.state();
        return hosts.stream()
                .filter(host -> !host.equals(snapshot.self()))
                .filter(host -> !state.members().has(host) || !state.isReachable(host))
                .toList();
    }

    /** How many messages wait for each instance; null where nobody has said so. */
    private static List<Long> waiting(PartitionEntry entry, List<NodeId> instances, LoadTable loads) {
        List<Long> waiting = new ArrayList<>();
        for (NodeId host : instances) {
            OptionalLong known = loads.of(host)
                    .filter(sample -> entry.isOn(host))
                    .map(sample -> sample.knownToWaitFor(entry.path()))
                    .orElse(OptionalLong.empty());
            waiting.add(known.isPresent() ? known.getAsLong() : null);
        }
        return waiting;
    }

    private static List<NodeId> instancesAfter(PartitionEntry entry, List<Move> moves) {
        List<NodeId> instances = new ArrayList<>(entry.instances());
        for (Move move : moves) {
            if (move.path().equals(entry.path())) {
                instances.replaceAll(host -> host.equals(move.from()) ? move.to() : host);
            }
        }
        return instances;
    }

    private static Map<String, Object> move(PartitionMove move) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", move.id());
        fields.put("from", move.from().address().toString());
        fields.put("to", move.to().address().toString());
        fields.put("stage", move.isPending() ? "pending" : "done");
        return fields;
    }

    static List<String> names(List<NodeId> nodes) {
        return nodes.stream().map(it -> it.address().toString()).toList();
    }
}

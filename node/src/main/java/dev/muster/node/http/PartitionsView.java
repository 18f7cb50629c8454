package dev.muster.node.http;

import dev.muster.cluster.Cluster;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.partition.LoadEstimate;
import dev.muster.core.partition.LoadTable;
import dev.muster.core.partition.Move;
import dev.muster.core.partition.Placement;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

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
        LoadEstimate estimate = new LoadEstimate(loads, placement(snapshot));
        List<Map<String, Object>> rows = new ArrayList<>();
        for (PartitionEntry entry : snapshot.partitions().entries().values()) {
            if (!entry.isDeleted()) {
                rows.add(row(entry, instancesAfter(entry, moves), snapshot, loads, estimate));
            }
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("selfNode", snapshot.self().address().toString());
        fields.put("selfUid", Long.toString(snapshot.self().uid()));
        fields.put("revision", snapshot.partitions().revision());
        fields.put("converged", snapshot.partitionsConverged());
        fields.put("partitions", rows);
        fields.put("loads", nodes(snapshot, loads));
        return fields;
    }

    private static Map<String, Object> row(
            PartitionEntry entry,
            List<NodeId> instances,
            ClusterSnapshot snapshot,
            LoadTable loads,
            LoadEstimate estimate) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("path", entry.path().text());
        row.put("instances", names(instances));
        row.put("unreachable", names(unreachable(instances, snapshot)));
        row.put("waiting", waiting(entry, instances, loads));
        row.put("load", load(entry, instances, estimate));
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

    /** What each instance weighs by what its host said last; null where it has said nothing. */
    private static List<Double> load(PartitionEntry entry, List<NodeId> instances, LoadEstimate estimate) {
        List<Double> load = new ArrayList<>();
        for (NodeId host : instances) {
            OptionalDouble known = estimate.weightOf(entry.path(), host);
            load.add(known.isPresent() ? PlanView.rounded(known.getAsDouble()) : null);
        }
        return load;
    }

    private static Placement placement(ClusterSnapshot snapshot) {
        SortedMap<PartitionPath, List<NodeId>> hosts = new TreeMap<>();
        for (PartitionEntry entry : snapshot.partitions().entries().values()) {
            if (!entry.isDeleted()) {
                hosts.put(entry.path(), entry.instances());
            }
        }
        return Placement.of(hosts);
    }

    /** How busy each member said last that it is; null where it has said nothing, as members that are not Muster. */
    private static List<Map<String, Object>> nodes(ClusterSnapshot snapshot, LoadTable loads) {
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (Member member : snapshot.state().members()) {
            Optional<LoadSample> sample = loads.of(member.id());
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("node", member.id().address().toString());
            fields.put(
                    "cpuLoad", sample.map(it -> PlanView.rounded(it.cpuLoad())).orElse(null));
            fields.put(
                    "gcShare", sample.map(it -> PlanView.rounded(it.gcShare())).orElse(null));
            fields.put("waiting", sample.map(LoadSample::waiting).orElse(null));
            nodes.add(fields);
        }
        return nodes;
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

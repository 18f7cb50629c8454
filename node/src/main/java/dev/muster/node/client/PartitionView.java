package dev.muster.node.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * Where partitions run as one node sees it, read from {@code /cluster/partitions}.
 *
 * @param selfUid which incarnation of that node answered; empty from nodes that do not say so
 * @param hasConverged whether all are known to have this table
 * @param rows by path
 */
public record PartitionView(
        String selfNode, String selfUid, long revision, boolean hasConverged, SortedMap<String, Row> rows) {

    public PartitionView {
        rows = Collections.unmodifiableSortedMap(new TreeMap<>(rows));
    }

    /** One partition, with its hosts as host and port. */
    public record Row(String path, List<String> hosts, Optional<Move> move) {

        public Row {
            hosts = List.copyOf(hosts);
        }

        Optional<Move> pending() {
            return move.filter(Move::isPending);
        }

        boolean isMovingBy(long id) {
            return pending().filter(it -> it.id() == id).isPresent();
        }
    }

    /** The move that is under way, or was the last one. */
    public record Move(long id, String from, String to, boolean isPending) {}

    public static PartitionView of(JsonNode json) {
        SortedMap<String, Row> rows = new TreeMap<>();
        for (JsonNode partition : json.path("partitions")) {
            List<String> hosts = new ArrayList<>();
            partition.path("instances").forEach(host -> hosts.add(ClusterView.shortened(host.asString(""))));
            String path = partition.path("path").asString("");
            rows.put(path, new Row(path, hosts, move(partition.path("move"))));
        }
        return new PartitionView(
                json.path("selfNode").asString(""),
                json.path("selfUid").asString(""),
                json.path("revision").asLong(0),
                json.path("converged").asBoolean(false),
                rows);
    }

    private static Optional<Move> move(JsonNode move) {
        return move.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Move(
                        move.path("id").asLong(),
                        ClusterView.shortened(move.path("from").asString("")),
                        ClusterView.shortened(move.path("to").asString("")),
                        move.path("stage").asString("").equals("pending")));
    }

    /** What has an instance at this place, by host and port. */
    public List<String> pathsOn(String host) {
        return rows.values().stream()
                .filter(row -> row.hosts().contains(host))
                .map(Row::path)
                .toList();
    }

    /**
     * Whether another node was asked than for {@code before}, and that one knew more. One that has restarted at the
     * same place, or joined again, is another: until it has heard from others it shows an empty table.
     */
    public boolean isOlderThan(PartitionView before) {
        boolean isSame = selfNode.equals(before.selfNode) && selfUid.equals(before.selfUid);
        return revision < before.revision && !isSame;
    }
}

package dev.muster.node.http;

import dev.muster.cluster.Cluster.MoveInFlight;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.handoff.MoveView;
import dev.muster.core.partition.Move;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionMove;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Moves of partitions, as JSON fields. Of those that lead from or to the asked node it knows how far they are; of the
 * others only what the table says.
 */
final class HandoffsView {
    private final ClusterSnapshot snapshot;
    private final MoveAges ages;
    private final Instant now;

    HandoffsView(ClusterSnapshot snapshot, MoveAges ages, Instant now) {
        this.snapshot = snapshot;
        this.ages = ages;
        this.now = now;
    }

    /**
     * @param own moves in which this node takes part
     * @param waiting moves that have not begun, if this node leads the table
     * @param reasons why partitions are on the move, if this node leads the table
     */
    Map<String, Object> of(List<MoveInFlight> own, List<Move> waiting, Map<PartitionPath, String> reasons) {
        List<Map<String, Object>> rows = new ArrayList<>();
        own.forEach(it -> rows.add(row(it.path(), it.view())));
        for (PartitionEntry entry : snapshot.partitions().entries().values()) {
            entry.pending().filter(move -> !isAmong(own, entry.path(), move)).ifPresent(move -> {
                rows.add(row(entry.path(), move));
            });
        }
        reasons.forEach((path, reason) -> rows.stream()
                .filter(row -> path.text().equals(row.get("path")))
                .forEach(row -> row.put("reason", reason)));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("selfNode", snapshot.self().address().toString());
        fields.put("handoffs", rows);
        fields.put("waiting", PlanView.moves(waiting));
        return fields;
    }

    private static boolean isAmong(List<MoveInFlight> own, PartitionPath path, PartitionMove move) {
        return own.stream().anyMatch(it -> it.path().equals(path) && it.view().move() == move.id());
    }

    private Map<String, Object> row(PartitionPath path, MoveView view) {
        Map<String, Object> row = row(path, view.move(), view.from(), view.to(), view.phase());
        row.put("bufferedMessages", view.messages());
        row.put("bufferedBytes", view.bytes());
        row.put("notSwitched", PartitionsView.names(view.waitingFor()));
        return row;
    }

    private Map<String, Object> row(PartitionPath path, PartitionMove move) {
        boolean isPart = move.from().equals(snapshot.self()) || move.to().equals(snapshot.self());
        return row(
                path,
                move.id(),
                move.from(),
                move.to(),
                isPart ? "about to begin" : "pending; its two nodes know more");
    }

    private Map<String, Object> row(PartitionPath path, long move, NodeId from, NodeId to, String phase) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("path", path.text());
        row.put("move", move);
        row.put("from", from.address().toString());
        row.put("to", to.address().toString());
        row.put("seenAs", from.equals(snapshot.self()) ? "from" : to.equals(snapshot.self()) ? "to" : "bystander");
        row.put("phase", phase);
        ages.ageOf(path, move, now).map(Duration::toMillis).ifPresent(age -> row.put("ageMillis", Math.max(0, age)));
        return row;
    }
}

package dev.muster.node.http;

import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.PartitionEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where partitions run, as JSON fields. */
final class PartitionsView {
    private PartitionsView() {}

    static Map<String, Object> of(ClusterSnapshot snapshot) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (PartitionEntry entry : snapshot.partitions().entries().values()) {
            if (!entry.isDeleted()) {
                rows.add(row(entry));
            }
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("selfNode", snapshot.self().address().toString());
        fields.put("revision", snapshot.partitions().revision());
        fields.put("partitions", rows);
        return fields;
    }

    private static Map<String, Object> row(PartitionEntry entry) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("path", entry.path().text());
        row.put(
                "instances",
                entry.instances().stream().map(it -> it.address().toString()).toList());
        row.put("wanted", entry.spec().instances());
        row.put("role", entry.spec().role());
        row.put("epoch", entry.epoch());
        row.put("writtenBy", entry.writer().address().toString());
        return row;
    }
}

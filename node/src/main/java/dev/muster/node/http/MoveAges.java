package dev.muster.node.http;

import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Since when this node has known of the move of each partition. The table itself knows no time. */
final class MoveAges {

    private record Seen(long move, Instant since) {}

    private PartitionTable lastSeen = PartitionTable.EMPTY;
    private Map<PartitionPath, Seen> seen = Map.of();

    synchronized void observe(ClusterSnapshot snapshot, Instant now) {
        PartitionTable table = snapshot.partitions();
        if (table == lastSeen) {
            return;
        }
        Map<PartitionPath, Seen> next = new HashMap<>();
        for (PartitionEntry entry : table.entries().values()) {
            entry.move().ifPresent(move -> {
                Seen before = seen.get(entry.path());
                boolean isKnown = before != null && before.move() == move.id();
                next.put(entry.path(), isKnown ? before : new Seen(move.id(), now));
            });
        }
        seen = next;
        lastSeen = table;
    }

    /** Nothing for a move that the table has not, or not any more. */
    synchronized Optional<Duration> ageOf(PartitionPath path, long move, Instant now) {
        return Optional.ofNullable(seen.get(path))
                .filter(it -> it.move() == move)
                .map(it -> Duration.between(it.since(), now));
    }
}

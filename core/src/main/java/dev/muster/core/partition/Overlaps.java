package dev.muster.core.partition;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effects;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.TreeSet;

/**
 * Says of partitions that lie inside each other that they do. None is created so; but two leaders who did not know of
 * each other may each have created one, and nobody but a user may end a partition, whose state may be worth something.
 */
final class Overlaps {
    private final TreeSet<PartitionPath> said = new TreeSet<>();
    private PartitionTable lookedAt = PartitionTable.EMPTY;

    /** Each is said once, by whoever leads, about a table that all have: any other might be a table in between. */
    void look(PartitionTable table, Effects effects) {
        if (table == lookedAt) {
            return;
        }
        lookedAt = table;
        TreeSet<PartitionPath> found = outerOnes(table);
        said.retainAll(found);
        for (PartitionPath outer : found) {
            if (said.add(outer)) {
                effects.publish(new ClusterEvent.PartitionsOverlap(
                        outer,
                        table.overlapping(outer).stream()
                                .filter(outer::isPrefixOf)
                                .toList()));
            }
        }
    }

    private static TreeSet<PartitionPath> outerOnes(PartitionTable table) {
        TreeSet<PartitionPath> outer = new TreeSet<>();
        PartitionPath before = null;
        for (PartitionEntry entry : table.entries().values()) {
            if (!entry.isDeleted()) {
                if (before != null && before.isPrefixOf(entry.path())) {
                    outer.add(before); // what lies below a path comes directly after it
                }
                before = entry.path();
            }
        }
        return outer;
    }
}

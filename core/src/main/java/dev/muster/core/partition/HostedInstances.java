package dev.muster.core.partition;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.TreeMap;

/** Which instances run on this node, so that each is started once and stopped once. */
final class HostedInstances {
    private final NodeId self;
    private final TreeMap<PartitionPath, Long> hosted = new TreeMap<>();
    private PartitionTable followed = PartitionTable.EMPTY;

    HostedInstances(NodeId self) {
        this.self = self;
    }

    void follow(PartitionTable table, Effects effects) {
        if (table == followed) {
            return;
        }
        for (PartitionEntry entry : table.entries().values()) {
            if (followed.row(entry.path()) != entry) {
                effects.publish(new ClusterEvent.PartitionChanged(entry));
            }
        }
        followed = table;
        for (PartitionPath path : new ArrayList<>(hosted.keySet())) {
            if (!table.row(path).isOn(self)) {
                hosted.remove(path);
                effects.add(new Effect.StopInstance(path));
            }
        }
        for (PartitionEntry entry : table.entries().values()) {
            if (entry.isOn(self) && hosted.putIfAbsent(entry.path(), entry.epoch()) == null) {
                effects.add(new Effect.StartInstance(entry.path(), entry.epoch()));
            }
        }
    }
}

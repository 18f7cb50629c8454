package dev.muster.core.partition;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What whoever leads writes into the partition table, once everybody has the same members and the same table: new
 * partitions, the end of others, and new hosts for instances that have lost theirs.
 */
final class PartitionDuties {
    private final NodeId self;
    private final PartitionSettings settings;
    /** What was asked for; empty for a partition that is to end. */
    private final TreeMap<PartitionPath, Optional<PartitionSpec>> asked = new TreeMap<>();
    /** When this node saw hosts go that might still be at work. */
    private final TreeMap<NodeId, Long> goneSinceNanos = new TreeMap<>();

    private Members known = Members.of(List.of());
    private PartitionTable settledTable;
    private Members settledMembers;
    private long nextWakeUpNanos = Long.MAX_VALUE;

    PartitionDuties(NodeId self, PartitionSettings settings) {
        this.self = self;
        this.settings = settings;
    }

    boolean isEmpty() {
        return asked.isEmpty();
    }

    void forgetAsked() {
        asked.clear();
    }

    /** Why not, if not. */
    Optional<String> want(PartitionTable table, PartitionPath path, PartitionSpec spec) {
        Optional<PartitionPath> overlapping = table.overlapping(path)
                .or(() -> asked.keySet().stream()
                        .filter(other -> other.isPrefixOf(path) || path.isPrefixOf(other))
                        .findFirst());
        if (overlapping.isPresent()) {
            return Optional.of("there is the partition " + overlapping.get()
                    + ", and partitions do not lie inside each other; choose a path beside it");
        }
        asked.put(path, Optional.of(spec));
        settledTable = null;
        return Optional.empty();
    }

    void end(PartitionPath path) {
        asked.put(path, Optional.empty());
        settledTable = null;
    }

    /** Remembers who has gone, and since when. */
    void follow(ClusterState state, long nowNanos) {
        if (state.members() == known) {
            return;
        }
        for (Member member : known) {
            if (!state.members().has(member.id())) {
                goneSinceNanos.put(member.id(), nowNanos);
            }
        }
        known = state.members();
    }

    /** The rows that are to be written now; none if all is as it should be. */
    List<PartitionEntry> perform(ClusterState state, PartitionTable table, long nowNanos) {
        if (table == settledTable && state.members() == settledMembers && nowNanos < nextWakeUpNanos) {
            return List.of();
        }
        nextWakeUpNanos = Long.MAX_VALUE;
        goneSinceNanos.values().removeIf(since -> nowNanos - since >= marginNanos());
        Hosts hosts = new Hosts(state.members(), table);
        List<PartitionEntry> rows = new ArrayList<>();
        long epoch = table.revision() + 1;
        for (PartitionEntry entry : table.entries().values()) {
            rewritten(entry, hosts, epoch).ifPresent(rows::add);
        }
        for (var wish : asked.entrySet()) {
            PartitionEntry row = table.row(wish.getKey());
            if ((row == null || row.isDeleted()) && wish.getValue().isPresent()) {
                PartitionSpec spec = wish.getValue().get();
                rows.add(new PartitionEntry(wish.getKey(), epoch, self, spec, hosts.fill(List.of(), spec), false));
            }
        }
        asked.clear();
        settledTable = rows.isEmpty() ? table : null;
        settledMembers = state.members();
        return rows;
    }

    /** The row as it should be, if it is not. */
    private Optional<PartitionEntry> rewritten(PartitionEntry entry, Hosts hosts, long epoch) {
        Optional<PartitionSpec> wish = asked.getOrDefault(entry.path(), Optional.of(entry.spec()));
        if (entry.isDeleted()) {
            return Optional.empty();
        }
        if (wish.isEmpty()) {
            return Optional.of(new PartitionEntry(entry.path(), epoch, self, entry.spec(), List.of(), true));
        }
        PartitionSpec spec = wish.get();
        List<NodeId> kept = hosts.staying(entry.instances(), spec);
        List<NodeId> instances = mustWait(entry) ? kept : hosts.fill(kept, spec);
        if (instances.equals(entry.instances()) && spec.equals(entry.spec())) {
            return Optional.empty();
        }
        return Optional.of(new PartitionEntry(entry.path(), epoch, self, spec, instances, false));
    }

    /** Whether a host that has gone may still be at work, where only one may. */
    private boolean mustWait(PartitionEntry entry) {
        if (!entry.spec().policy().isExclusive()) {
            return false;
        }
        Optional<Long> latest = goneSinceNanos.values().stream().max(Long::compare);
        latest.ifPresent(since -> nextWakeUpNanos = Math.min(nextWakeUpNanos, since + marginNanos()));
        return latest.isPresent() && entry.instances().stream().noneMatch(known::has);
    }

    private long marginNanos() {
        return settings.downRemovalMargin().toNanos();
    }

    long nextWakeUpNanos() {
        return nextWakeUpNanos;
    }
}

package dev.muster.core.partition;

import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
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
                .or(() -> path.overlapAmong(asked.navigableKeySet()))
                .filter(other -> asked.getOrDefault(other, Optional.of(spec)).isPresent());
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
        TreeMap<PartitionPath, PartitionSpec> wanted = wanted(table);
        TreeMap<PartitionPath, List<NodeId>> present = new TreeMap<>();
        List<PartitionNeed> needs = new ArrayList<>();
        wanted.forEach((path, spec) -> {
            List<NodeId> instances =
                    table.find(path).map(PartitionEntry::instances).orElse(List.of());
            present.put(path, instances);
            if (!mustStay(spec, instances)) {
                needs.add(new PartitionNeed(path, mustWait(spec, instances) ? 0 : spec.instances(), spec.role()));
            }
        });
        Placement next = RingPlacement.place(
                Layout.of(needs, Placement.of(present), EligibleNodes.of(state.members(), Member::isMuster)));
        List<PartitionEntry> rows = rows(table, wanted, present, next);
        asked.clear();
        settledTable = rows.isEmpty() ? table : null;
        settledMembers = state.members();
        return rows;
    }

    /** All partitions that there are to be. */
    private TreeMap<PartitionPath, PartitionSpec> wanted(PartitionTable table) {
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        for (PartitionEntry entry : table.entries().values()) {
            if (!entry.isDeleted()) {
                wanted.put(entry.path(), entry.spec());
            }
        }
        asked.forEach((path, spec) -> {
            if (spec.isPresent()) {
                wanted.put(path, spec.get());
            } else {
                wanted.remove(path);
            }
        });
        return wanted;
    }

    private List<PartitionEntry> rows(
            PartitionTable table,
            TreeMap<PartitionPath, PartitionSpec> wanted,
            TreeMap<PartitionPath, List<NodeId>> present,
            Placement next) {
        List<PartitionEntry> rows = new ArrayList<>();
        long epoch = table.revision() + 1;
        if (epoch > PartitionEntry.HIGHEST_EPOCH) {
            return rows;
        }
        wanted.forEach((path, spec) -> {
            List<NodeId> instances = next.has(path) ? next.hostsOf(path) : present.get(path);
            boolean isSo = table.find(path)
                    .filter(it -> it.spec().equals(spec) && it.instances().equals(instances))
                    .isPresent();
            if (!isSo) {
                rows.add(new PartitionEntry(path, epoch, self, spec, instances, false));
            }
        });
        for (PartitionEntry entry : table.entries().values()) {
            if (!entry.isDeleted() && !wanted.containsKey(entry.path())) {
                rows.add(new PartitionEntry(entry.path(), epoch, self, entry.spec(), List.of(), true));
            }
        }
        return rows;
    }

    /** One that must be alone stays on a host that leaves until that has gone: two would be at work otherwise. */
    private boolean mustStay(PartitionSpec spec, List<NodeId> instances) {
        return spec.policy().isExclusive()
                && instances.stream()
                        .map(known::statusOf)
                        .anyMatch(status -> status == MemberStatus.LEAVING || status.isOnItsWayOut());
    }

    /** Whether a host that has gone may still be at work, where only one may. */
    private boolean mustWait(PartitionSpec spec, List<NodeId> instances) {
        if (!spec.policy().isExclusive() || instances.stream().anyMatch(known::has)) {
            return false;
        }
        Optional<Long> latest = goneSinceNanos.values().stream().max(Long::compare);
        latest.ifPresent(since -> nextWakeUpNanos = Math.min(nextWakeUpNanos, since + marginNanos()));
        return latest.isPresent();
    }

    private long marginNanos() {
        return settings.downRemovalMargin().toNanos();
    }

    long nextWakeUpNanos() {
        return nextWakeUpNanos;
    }
}

package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What whoever leads decides about numbers of instances, now and then, from what it has learned about load.
 *
 * <p>It remembers how hard each partition was pressed while this node leads. A new leader begins with nothing: it sees
 * to the least number at once, and changes nothing by load before it has seen that for itself.
 *
 * <p>Specification: "Partitioning".
 */
public final class ScalingDuties {
    private final long intervalNanos;
    private final TreeMap<PartitionPath, DemandHistory> histories = new TreeMap<>();
    private LoadTable lastLoads = LoadTable.EMPTY;
    private long nextDecisionNanos = Long.MIN_VALUE;
    private boolean hasWork;

    public ScalingDuties(PartitionSettings settings) {
        this.intervalNanos = settings.load().scalingInterval().toNanos();
    }

    /** This node does not lead, or no longer. */
    public void forget() {
        histories.clear();
        lastLoads = LoadTable.EMPTY;
        nextDecisionNanos = Long.MIN_VALUE;
        hasWork = false;
    }

    /**
     * The partitions that should have another number of instances than they have; none if it is not time to decide yet.
     * Who is not named keeps its number.
     *
     * @param ranges the partitions that have a range; those with a fixed number may be among them and are passed over
     * @param placement where instances are
     * @param nodes who may host them
     */
    public SortedMap<PartitionPath, InstanceDecision> decide(
            SortedMap<PartitionPath, ScalingRange> ranges,
            Placement placement,
            EligibleNodes nodes,
            LoadTable loads,
            long nowNanos) {
        hasWork = ranges.values().stream().anyMatch(range -> !range.isFixed());
        histories.keySet().retainAll(ranges.keySet());
        if (!hasWork || nowNanos < nextDecisionNanos) {
            return Collections.emptySortedMap();
        }
        nextDecisionNanos = nowNanos + intervalNanos;
        LoadEstimate estimate = new LoadEstimate(loads, placement);
        TreeMap<PartitionPath, InstanceDecision> changes = new TreeMap<>();
        ranges.forEach((path, range) -> {
            if (!range.isFixed() && placement.has(path)) {
                List<NodeId> hosts = placement.hostsOf(path);
                remember(path, hosts, estimate, loads);
                InstanceDecision decision = decide(path, range, hosts.size(), nodes.sizeOf(range.role()));
                if (decision.instances() != hosts.size()) {
                    changes.put(path, decision);
                }
            }
        });
        lastLoads = loads;
        return changes;
    }

    /** What was measured once counts once: in a large cluster the leader hears of a node only now and then. */
    private void remember(PartitionPath path, List<NodeId> hosts, LoadEstimate estimate, LoadTable loads) {
        boolean isNew = hosts.stream().anyMatch(host -> !loads.of(host).equals(lastLoads.of(host)));
        if (isNew) {
            estimate.demandOf(path)
                    .ifPresent(demand -> histories.merge(
                            path,
                            DemandHistory.NONE.with(demand, hosts.size()),
                            (history, first) -> history.with(demand, hosts.size())));
        }
    }

    private InstanceDecision decide(PartitionPath path, ScalingRange range, int instances, int eligible) {
        return range.count()
                .decide(
                        new InstanceCount.Situation(instances, eligible, range.hint()),
                        histories.getOrDefault(path, DemandHistory.NONE));
    }

    /** When the next decision is due; never while there is nothing to decide about. */
    public long nextWakeUpNanos() {
        return hasWork ? nextDecisionNanos : Long.MAX_VALUE;
    }
}

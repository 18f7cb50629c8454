package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Gives every partition its instances, moving none that can stay.
 *
 * <p>Think of laying cards around a table: each goes to the next empty seat, and a second round begins when no seat is
 * empty. Seen from the seats, each card goes to the first one with the fewest cards, and said like that the rule also
 * works when some cards already lie there, some seats are new, and some guests have left.
 *
 * <p>Instances of one path are on distinct nodes, so there are never more than nodes that may host it.
 *
 * <p>Specification: "Partitioning".
 */
public final class RingPlacement {
    private final Layout layout;
    private final NodeLoads loads;
    private final TreeMap<String, BitSet> eligible = new TreeMap<>();
    private final TreeMap<PartitionPath, List<NodeId>> hosts = new TreeMap<>();

    private RingPlacement(Layout layout) {
        this.layout = layout;
        this.loads = new NodeLoads(layout.nodes(), layout.weights());
    }

    /**
     * Where the partitions of the layout should be: exactly those that it needs, each with as many instances as it
     * needs and nodes allow. Who is already placed comes first, in its order, then who is new.
     */
    public static Placement place(Layout layout) {
        RingPlacement placing = new RingPlacement(layout);
        placing.keepWhatMayStay();
        placing.removeSurplus();
        placing.placeWhatIsMissing();
        return Placement.of(placing.hosts);
    }

    private void keepWhatMayStay() {
        for (PartitionNeed need : layout.needs().values()) {
            List<NodeId> staying = new ArrayList<>();
            for (NodeId host : layout.placement().hostsOf(need.path())) {
                int ordinal = layout.nodes().ordinalOf(host);
                if (ordinal >= 0 && eligibleFor(need).get(ordinal)) {
                    staying.add(host);
                    loads.add(ordinal, layout.weights().of(need.path()));
                }
            }
            hosts.put(need.path(), staying);
        }
    }

    private void removeSurplus() {
        for (PartitionNeed need : layout.needs().values()) {
            List<NodeId> staying = hosts.get(need.path());
            while (staying.size() > need.instances()) {
                int busiest = busiestOf(staying);
                loads.remove(
                        layout.nodes().ordinalOf(staying.get(busiest)),
                        layout.weights().of(need.path()));
                staying.remove(busiest);
            }
        }
    }

    /** Of several that carry the same, the last in the order: whoever was there first has a right to stay. */
    private int busiestOf(List<NodeId> staying) {
        int busiest = 0;
        for (int i = 1; i < staying.size(); i++) {
            if (loadOf(staying.get(i)) >= loadOf(staying.get(busiest))) {
                busiest = i;
            }
        }
        return busiest;
    }

    private double loadOf(NodeId node) {
        return loads.of(layout.nodes().ordinalOf(node));
    }

    private void placeWhatIsMissing() {
        // Heavy ones first: light ones then fill the gaps, which the other way round stay open.
        List<PartitionNeed> order = new ArrayList<>(layout.needs().values());
        order.sort(Comparator.comparingDouble(need -> -layout.weights().of(need.path())));
        for (PartitionNeed need : order) {
            List<NodeId> placed = hosts.get(need.path());
            if (placed.size() < need.instances()) {
                addMissing(need, placed);
            }
        }
    }

    private void addMissing(PartitionNeed need, List<NodeId> placed) {
        BitSet free = (BitSet) eligibleFor(need).clone();
        placed.forEach(host -> free.clear(layout.nodes().ordinalOf(host)));
        while (placed.size() < need.instances() && !free.isEmpty()) {
            int next = loads.least(free);
            placed.add(layout.nodes().get(next));
            free.clear(next);
            loads.add(next, layout.weights().of(need.path()));
        }
    }

    private BitSet eligibleFor(PartitionNeed need) {
        BitSet withRole = eligible.computeIfAbsent(need.role(), layout.nodes()::ordinalsWith);
        if (need.without().isEmpty()) {
            return withRole;
        }
        BitSet rest = (BitSet) withRole.clone();
        rest.andNot(layout.nodes().ordinalsOf(need.without()));
        return rest;
    }
}

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
 * works when some cards already lie there, some seats are new, and some guests have left. Where it is known how much
 * work partitions make, it is that which counts, and not their number.
 *
 * <p>Instances of one path are on distinct nodes, so there are never more than nodes that may host it.
 *
 * <p>Specification: "Partitioning".
 */
public final class RingPlacement {
    private record Missing(PartitionNeed need, double weight) {}

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
            double weight = layout.weights().of(need.path());
            for (NodeId host : layout.placement().hostsOf(need.path())) {
                int ordinal = layout.nodes().ordinalOf(host);
                if (ordinal >= 0 && eligibleFor(need).get(ordinal)) {
                    staying.add(host);
                    loads.add(ordinal, weight);
                }
            }
            hosts.put(need.path(), staying);
        }
    }

    private void removeSurplus() {
        for (PartitionNeed need : layout.needs().values()) {
            List<NodeId> staying = hosts.get(need.path());
            while (staying.size() > need.instances()) {
                double weight = layout.weights().of(need.path());
                int busiest = busiestOf(staying, weight);
                loads.remove(layout.nodes().ordinalOf(staying.get(busiest)), weight);
                staying.remove(busiest);
            }
        }
    }

    /**
     * Of several that carry as good as the same, the last in the order: whoever was there first has a right to stay.
     */
    private int busiestOf(List<NodeId> staying, double weight) {
        double most = staying.stream().mapToDouble(this::loadOf).max().orElse(0);
        int busiest = staying.size() - 1;
        while (!isAsGoodAs(loadOf(staying.get(busiest)), most, weight)) {
            busiest--;
        }
        return busiest;
    }

    private double loadOf(NodeId node) {
        return loads.of(layout.nodes().ordinalOf(node));
    }

    private void placeWhatIsMissing() {
        // Heavy ones first: light ones then fill the gaps, which the other way round stay open.
        List<Missing> order = new ArrayList<>();
        for (PartitionNeed need : layout.needs().values()) {
            if (hosts.get(need.path()).size() < need.instances()) {
                order.add(new Missing(need, layout.weights().of(need.path())));
            }
        }
        order.sort(Comparator.comparingDouble(missing -> -missing.weight));
        order.forEach(missing -> addMissing(missing.need, missing.weight, hosts.get(missing.need.path())));
    }

    private void addMissing(PartitionNeed need, double weight, List<NodeId> placed) {
        BitSet free = (BitSet) eligibleFor(need).clone();
        placed.forEach(host -> free.clear(layout.nodes().ordinalOf(host)));
        while (placed.size() < need.instances() && !free.isEmpty()) {
            int next = firstWithLeast(free, weight);
            placed.add(layout.nodes().get(next));
            free.clear(next);
            loads.add(next, weight);
        }
    }

    private int firstWithLeast(BitSet free, double weight) {
        double least = loads.of(loads.least(free));
        int first = free.nextSetBit(0);
        while (!isAsGoodAs(loads.of(first), least, weight)) {
            first = free.nextSetBit(first + 1);
        }
        return first;
    }

    /**
     * Measured loads always differ a little, and then the order of the ring would count for nothing. What differs by so
     * little that moving the instance would not be worth it is the same here.
     */
    private static boolean isAsGoodAs(double load, double best, double weight) {
        return Math.abs(load - best) < Evening.MARGIN * weight;
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

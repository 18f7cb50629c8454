package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The search for the few moves that even out a layout.
 *
 * <p>Again and again the busiest node gives something to the least busy one, until the two are close enough. It gives
 * the heaviest instance that does not turn the difference round, so that few moves do. Only what leaves both clearly
 * better off than the busier one was is moved. So the loads, written from the highest down, get smaller like a number
 * with each step, and the search ends; and when it ends, there is nothing left to begin with.
 *
 * <p>Nodes are compared in pairs and not with an average: where roles keep partitions apart, an average means nothing.
 */
final class Evening {
    /** How clearly: to be moved back, an instance would have to change by half of its weight. */
    static final double MARGIN = 0.25;

    private final Layout layout;
    private final NodeLoads loads;
    private final List<Partition> partitions = new ArrayList<>(); // the heaviest first
    private final List<TreeMap<String, TreeSet<Integer>>> hosted = new ArrayList<>(); // node -> role -> index above
    private final TreeMap<String, BitSet> eligible = new TreeMap<>();
    private final LinkedHashSet<Integer> touched = new LinkedHashSet<>();

    private record Partition(PartitionPath path, String role, double weight, BitSet hosts, BitSet mayNot) {}

    private record Step(int partition, int from, int to) {}

    /**
     * What makes a move worthwhile, as shares of what the busier node carries.
     *
     * @param difference how much less the other one must carry
     * @param gain by how much the busier of the two must be better off, beyond the margin
     */
    record Worth(double difference, double gain) {}

    /** An instance that changes its place, between ordinals of eligible nodes. */
    record Shift(PartitionPath path, int from, int to) {}

    Evening(Layout layout) {
        this.layout = layout;
        this.loads = new NodeLoads(layout.nodes(), layout.weights());
        for (int i = 0; i < loads.size(); i++) {
            hosted.add(new TreeMap<>());
        }
        for (PartitionNeed need : layout.needs().values()) {
            eligible.computeIfAbsent(need.role(), layout.nodes()::ordinalsWith);
            double weight = layout.weights().of(need.path());
            BitSet mayNot = layout.nodes().ordinalsOf(need.without());
            partitions.add(new Partition(need.path(), need.role(), weight, new BitSet(loads.size()), mayNot));
        }
        partitions.sort(Comparator.comparingDouble(partition -> -partition.weight));
        for (int i = 0; i < partitions.size(); i++) {
            int index = i;
            hostsBefore(partitions.get(i).path).stream().forEach(node -> arrive(index, node));
        }
    }

    private BitSet hostsBefore(PartitionPath path) {
        BitSet hosts = new BitSet(loads.size());
        for (NodeId host : layout.placement().hostsOf(path)) {
            int ordinal = layout.nodes().ordinalOf(host);
            if (ordinal >= 0) {
                hosts.set(ordinal);
            }
        }
        return hosts;
    }

    NodeLoads loads() {
        return loads;
    }

    /**
     * Evens out the layout.
     *
     * @param begin nothing is done unless some move is worth this much
     * @param goOn once begun, all moves are made that are worth this much, so that it takes some change to begin again
     */
    void run(Worth begin, Worth goOn) {
        boolean again = next(new BitSet(), begin).isPresent();
        while (again) {
            again = false;
            // Who is stuck may find a taker once others have moved, so all are asked again before it ends.
            BitSet stuck = new BitSet();
            for (Optional<Step> step = next(stuck, goOn); step.isPresent(); step = next(stuck, goOn)) {
                perform(step.get());
                again = true;
            }
        }
    }

    /** The next step: of the busiest node that can give something away. Those that cannot are noted. */
    private Optional<Step> next(BitSet stuck, Worth worth) {
        for (int giver = loads.most(stuck); giver >= 0; giver = loads.most(stuck)) {
            Optional<Step> step = relief(giver, worth);
            if (step.isPresent()) {
                return step;
            }
            stuck.set(giver);
        }
        return Optional.empty();
    }

    private Optional<Step> relief(int giver, Worth worth) {
        BitSet takers = takersOf(giver);
        double lightest = lightestOn(giver);
        for (int taker = loads.least(takers); taker >= 0; taker = loads.least(takers)) {
            double difference = loads.of(giver) - loads.of(taker);
            double most = (difference - worth.gain * loads.of(giver)) / (1 + MARGIN);
            // Those that come after this one carry more, so there is even less to gain by them.
            if (difference <= worth.difference * loads.of(giver) || most < lightest) {
                return Optional.empty();
            }
            int gift = gift(giver, taker, most);
            if (gift >= 0) {
                return Optional.of(new Step(gift, giver, taker));
            }
            takers.clear(taker);
        }
        return Optional.empty();
    }

    private double lightestOn(int node) {
        return hosted.get(node).values().stream()
                .filter(indexes -> !indexes.isEmpty())
                .mapToDouble(indexes -> partitions.get(indexes.last()).weight)
                .min()
                .orElse(0);
    }

    /** Those that may host anything of what a node has. */
    private BitSet takersOf(int giver) {
        BitSet takers = new BitSet(loads.size());
        hosted.get(giver).keySet().forEach(role -> takers.or(eligible.get(role)));
        return takers;
    }

    /**
     * The instance that one node should give to another: best the heaviest that leaves the giver the busier one, else
     * the lightest, if it is not too heavy; -1 when there is none.
     */
    private int gift(int giver, int taker, double most) {
        double even = (loads.of(giver) - loads.of(taker)) / 2;
        int firstThatFits = firstNotAbove(Math.min(even, most));
        int fitting = partitions.size();
        int larger = -1;
        for (Map.Entry<String, TreeSet<Integer>> role : hosted.get(giver).entrySet()) {
            if (eligible.get(role.getKey()).get(taker)) {
                NavigableSet<Integer> all = role.getValue();
                fitting =
                        Math.min(fitting, firstThatMayCome(taker, all.tailSet(firstThatFits, true), partitions.size()));
                larger = Math.max(
                        larger,
                        firstThatMayCome(
                                taker, all.headSet(firstThatFits, false).descendingSet(), -1));
            }
        }
        if (fitting < partitions.size()) {
            return fitting;
        }
        return larger >= 0 && partitions.get(larger).weight <= most ? larger : -1;
    }

    private int firstNotAbove(double weight) {
        int low = 0;
        int high = partitions.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (partitions.get(middle).weight > weight) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private int firstThatMayCome(int node, NavigableSet<Integer> candidates, int otherwise) {
        for (int candidate : candidates) {
            Partition partition = partitions.get(candidate);
            if (!partition.hosts.get(node) && !partition.mayNot.get(node)) {
                return candidate;
            }
        }
        return otherwise;
    }

    private void perform(Step step) {
        Partition partition = partitions.get(step.partition);
        partition.hosts.clear(step.from);
        loads.remove(step.from, partition.weight);
        hosted.get(step.from).get(partition.role).remove(step.partition);
        arrive(step.partition, step.to);
        touched.add(step.partition);
    }

    private void arrive(int index, int node) {
        Partition partition = partitions.get(index);
        partition.hosts.set(node);
        loads.add(node, partition.weight);
        hosted.get(node)
                .computeIfAbsent(partition.role, role -> new TreeSet<>())
                .add(index);
    }

    /**
     * What is different at the end, in the order in which it was found. An instance that took several steps makes one
     * shift, and since nobody both loses and gets an instance of one path, shifts can run in any order.
     */
    List<Shift> shifts() {
        List<Shift> shifts = new ArrayList<>();
        for (int index : touched) {
            Partition partition = partitions.get(index);
            BitSet going = hostsBefore(partition.path);
            BitSet coming = (BitSet) partition.hosts.clone();
            coming.andNot(going);
            going.andNot(partition.hosts);
            for (int from = going.nextSetBit(0), to = coming.nextSetBit(0);
                    from >= 0;
                    from = going.nextSetBit(from + 1), to = coming.nextSetBit(to + 1)) {
                shifts.add(new Shift(partition.path, from, to));
            }
        }
        return shifts;
    }
}

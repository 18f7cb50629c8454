package dev.muster.core.partition;

import dev.muster.core.state.LoadSample;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What the load of nodes says about the load of partitions.
 *
 * <p>A node knows how busy it is and how many messages wait for its partitions, but not which of them keeps it busy.
 * The estimate: its work is divided among its instances in proportion to what waits for them, with one message more for
 * each. On top of that each instance weighs something by being there. So a cluster that idles is balanced by number,
 * where a percent of processor time here or there would otherwise look like a great difference, and a busy one by work.
 */
public final class LoadEstimate {
    /** What the usual number of instances weighs by being there, where the work of a fully busy node weighs 1. */
    private static final double IDLE_WEIGHT = 0.5;

    private final LoadTable table;
    private final Placement placement;
    private final TreeMap<NodeId, Hosting> hosting = new TreeMap<>();

    private static final class Hosting {
        private int instances;
        private int unnamed;
    }

    public LoadEstimate(LoadTable table, Placement placement) {
        this.table = table;
        this.placement = placement;
        for (PartitionPath path : placement.paths()) {
            for (LoadSample sample : samplesOf(path)) {
                Hosting host = hosting.computeIfAbsent(sample.node(), node -> new Hosting());
                host.instances++;
                host.unnamed += sample.waitingFor(path).isPresent() ? 0 : 1;
            }
        }
    }

    private List<LoadSample> samplesOf(PartitionPath path) {
        List<LoadSample> samples = new ArrayList<>();
        for (NodeId host : placement.hostsOf(path)) {
            table.of(host).ifPresent(samples::add);
        }
        return samples;
    }

    /** What waits for an instance: what the sample says, or its part of what is left if that does not name it. */
    private double waitingFor(PartitionPath path, LoadSample sample) {
        return sample.waitingFor(path).isPresent()
                ? sample.waitingFor(path).getAsLong()
                : (double) sample.waitingUnnamed() / hosting.get(sample.node()).unnamed;
    }

    /** How hard a partition is pressed; nothing while no sample of its nodes is known. */
    public Optional<Demand> demandOf(PartitionPath path) {
        List<LoadSample> samples = samplesOf(path);
        if (samples.isEmpty()) {
            return Optional.empty();
        }
        double own = 0;
        double everybodys = 0;
        double cpuLoad = 0;
        double gcShare = 0;
        for (LoadSample sample : samples) {
            own += waitingFor(path, sample);
            everybodys += sample.waiting();
            cpuLoad += sample.cpuLoad();
            gcShare += sample.gcShare();
        }
        int count = samples.size();
        double share = everybodys == 0 ? 0 : Math.min(1, own / everybodys);
        return Optional.of(new Demand(own / count, share, cpuLoad / count, gcShare / count));
    }

    /** What instances weigh, from all samples that are known. */
    public Weights weights() {
        double idle = idleWeight();
        TreeMap<PartitionPath, Double> weights = new TreeMap<>();
        for (PartitionPath path : placement.paths()) {
            samplesOf(path).stream()
                    .mapToDouble(sample -> idle + workOf(path, sample))
                    .average()
                    .ifPresent(weight -> weights.put(path, weight));
        }
        return Weights.of(weights);
    }

    /**
     * What the instance on this node weighs by the last sample alone; empty if nothing is known of it. Weights of
     * partitions are averages of these.
     */
    public OptionalDouble weightOf(PartitionPath path, NodeId host) {
        return samplesOf(path).stream()
                .filter(sample -> sample.node().equals(host))
                .mapToDouble(sample -> idleWeight() + workOf(path, sample))
                .findFirst();
    }

    /** What each instance weighs by being there; 0 while there is none of which anything is known. */
    double idleWeight() {
        double instances =
                hosting.values().stream().mapToInt(host -> host.instances).sum();
        return hosting.isEmpty() ? 0 : IDLE_WEIGHT * hosting.size() / instances;
    }

    private double workOf(PartitionPath path, LoadSample sample) {
        int instances = hosting.get(sample.node()).instances;
        return sample.cpuLoad() * (1 + waitingFor(path, sample)) / (instances + sample.waiting());
    }
}

package dev.muster.simulator.experiment;

import dev.muster.core.exchange.Command;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import dev.muster.core.state.PartitionSpec;
import dev.muster.core.state.PartitionTable;
import dev.muster.core.state.TableDigest;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.SimulatedNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The partitions of an experiment, and whether the nodes that run have them in good order. */
final class HostedPartitions {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    /** Longer than the leader waits until it looks whether something is worth moving. */
    private static final long CALM_NANOS = 15_000_000_000L;

    private final SimulatedCluster cluster;
    private final SortedMap<PartitionPath, PartitionSpec> wanted;

    HostedPartitions(SimulatedCluster cluster, SortedMap<PartitionPath, PartitionSpec> wanted) {
        this.cluster = cluster;
        this.wanted = wanted;
    }

    /** Of every four, one that must be alone, one that need not, and two of which there are two and three. */
    static SortedMap<PartitionPath, PartitionSpec> mixed(int count) {
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            HandoffPolicy policy = i % 4 == 0 ? HandoffPolicy.singleton() : HandoffPolicy.stateless();
            wanted.put(new PartitionPath("orders/" + i), new PartitionSpec(Math.max(1, i % 4), "", policy));
        }
        return wanted;
    }

    /** Each with one instance that takes its state along, in the order of its senders: the most that a move can do. */
    static SortedMap<PartitionPath, PartitionSpec> single(int count) {
        TreeMap<PartitionPath, PartitionSpec> wanted = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            wanted.put(new PartitionPath("orders/" + i), new PartitionSpec(1, "", HandoffPolicy.singleton()));
        }
        return wanted;
    }

    /** Lets the node in this slot ask for all of them. */
    void want(int slot) {
        wanted.forEach((path, spec) -> cluster.command(slot, new Command.WantPartition(path, spec)));
    }

    /**
     * Waits until all is in good order and stays so.
     *
     * @param look called after each step
     * @return when it began to be so; the end of time if that did not happen within this time
     */
    long awaitSettled(Duration atMost, Runnable look) {
        long giveUp = cluster.nowNanos() + atMost.toNanos();
        long since = Long.MAX_VALUE;
        TableDigest settled = null;
        while (cluster.violations().isEmpty()) {
            TableDigest now =
                    isSettled() ? cluster.runningNodes().get(0).partitions().digest() : null;
            if (now == null || !now.equals(settled)) {
                settled = now;
                since = now == null ? Long.MAX_VALUE : cluster.nowNanos();
            }
            if (settled != null && cluster.nowNanos() - since >= CALM_NANOS) {
                return since;
            }
            if (settled == null && cluster.nowNanos() >= giveUp) {
                return Long.MAX_VALUE;
            }
            cluster.runFor(LOOK_EVERY);
            look.run();
        }
        return Long.MAX_VALUE;
    }

    /** Whether all nodes have one table, nothing moves, and all partitions have what they want on those that run. */
    boolean isSettled() {
        List<SimulatedNode> nodes = cluster.runningNodes();
        PartitionTable table = nodes.get(0).partitions();
        for (SimulatedNode node : nodes) {
            if (!node.partitions().digest().equals(table.digest()) || !knowsAllThatRun(node)) {
                return false;
            }
        }
        Set<NodeId> up = running();
        return wanted.entrySet().stream().allMatch(it -> hasWanted(table.row(it.getKey()), it.getValue(), up));
    }

    private static boolean hasWanted(PartitionEntry row, PartitionSpec spec, Set<NodeId> up) {
        return row != null
                && !row.isDeleted()
                && row.pending().isEmpty()
                && row.instances().size() == Math.min(spec.instances(), up.size())
                && up.containsAll(row.instances());
    }

    private Set<NodeId> running() {
        return cluster.runningNodes().stream().map(SimulatedNode::id).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether the members of this node's view are those that run, all of them up. */
    private boolean knowsAllThatRun(SimulatedNode node) {
        return node.state().members().size() == cluster.runningNodes().size() && hasNoneThatEnded(node);
    }

    private boolean hasNoneThatEnded(SimulatedNode node) {
        for (Member member : node.state().members()) {
            if (member.status() != MemberStatus.UP
                    || cluster.node(member.id())
                            .filter(SimulatedNode::isRunning)
                            .isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Whether everybody holds all members unreachable that have ended. */
    boolean areAllEndedUnreachable() {
        return cluster.runningNodes().stream()
                .map(SimulatedNode::state)
                .allMatch(state -> state.members().stream()
                        .map(Member::id)
                        .filter(id -> cluster.node(id)
                                .filter(SimulatedNode::isRunning)
                                .isEmpty())
                        .noneMatch(state::isReachable));
    }

    /** Whether nobody counts anybody as a member that has ended. */
    boolean areAllEndedRemoved() {
        return cluster.runningNodes().stream().allMatch(this::hasNoneThatEnded);
    }

    /** How many partitions the poorest table lacks. */
    int lost() {
        int most = 0;
        TreeSet<TableDigest> looked = new TreeSet<>();
        for (SimulatedNode node : cluster.runningNodes()) {
            if (looked.add(node.partitions().digest())) {
                int lost = (int) wanted.keySet().stream()
                        .filter(path -> node.partitions().find(path).isEmpty())
                        .count();
                most = Math.max(most, lost);
            }
        }
        return most;
    }

    /** How many partitions there are that somebody would send nowhere, or to nobody who runs and hosts them. */
    int unrouted() {
        int most = 0;
        TreeSet<TableDigest> looked = new TreeSet<>();
        for (SimulatedNode node : cluster.runningNodes()) {
            if (looked.add(node.partitions().digest())) {
                int unrouted = (int) wanted.keySet().stream()
                        .filter(path -> !isRouted(node.partitions().row(path)))
                        .count();
                most = Math.max(most, unrouted);
            }
        }
        return most;
    }

    private boolean isRouted(PartitionEntry row) {
        return row != null && row.instances().stream().anyMatch(host -> hosts(host, row.path()));
    }

    private boolean hosts(NodeId id, PartitionPath path) {
        return cluster.node(id)
                .filter(SimulatedNode::isRunning)
                .map(node -> node.partitions().row(path))
                .filter(row -> row.isOn(id))
                .isPresent();
    }
}

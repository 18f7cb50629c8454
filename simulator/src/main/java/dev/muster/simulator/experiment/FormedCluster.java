package dev.muster.simulator.experiment;

import dev.muster.core.ClusterSettings;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.SimulatedNode;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.plan.LinkProfile;
import dev.muster.simulator.plan.Purpose;
import dev.muster.simulator.plan.RunPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The healthy cluster that an experiment begins with: everybody up, converged, and used to each other. */
final class FormedCluster {
    private static final int SEEDS = 3;
    private static final long START_WITHIN_NANOS = 1_000_000_000L;
    private static final long GIVE_UP_NANOS = 300_000_000_000L;
    /** Long enough that detectors know the rhythm of those they watch. */
    private static final Duration GETTING_USED = Duration.ofSeconds(10);

    private FormedCluster() {}

    /**
     * Starts nodes in the slots from 0 on, within a second, on a fast network, and waits until they are one cluster.
     */
    static SimulatedCluster of(long seed, int nodes, ClusterSettings settings) {
        List<Integer> seeds = new ArrayList<>();
        for (int slot = 0; slot < Math.min(SEEDS, nodes); slot++) {
            seeds.add(slot);
        }
        SimulatedCluster cluster = withoutNodes(seed, seeds, settings, List.of());
        fill(cluster, seed, nodes);
        return cluster;
    }

    /** @param seeds the slots of the seed nodes; the first one may form the cluster */
    static SimulatedCluster withoutNodes(
            long seed, List<Integer> seeds, ClusterSettings settings, List<Checker> checkers) {
        List<NodeAddress> addresses = seeds.stream().map(RunPlan::addressOf).toList();
        return new SimulatedCluster(
                seed, settings.withJoin(settings.join().withSeedNodes(addresses)), LinkProfile.LAN, checkers, null);
    }

    /** Starts a node in each slot that has none, and waits until all are one cluster. */
    static void fill(SimulatedCluster cluster, long seed, int nodes) {
        Dice dice = Dice.of(seed, Purpose.SLOTS);
        for (int slot = 0; slot < nodes; slot++) {
            cluster.start(slot);
            cluster.runFor(Duration.ofNanos(dice.between(0, 2 * START_WITHIN_NANOS / nodes)));
        }
        while (!isFormed(cluster, nodes)) {
            if (cluster.nowNanos() > GIVE_UP_NANOS || !cluster.violations().isEmpty()) {
                throw new IllegalStateException(
                        nodes + " nodes did not become a cluster; seed " + seed + " " + cluster.violations());
            }
            cluster.runFor(Duration.ofSeconds(1));
        }
        cluster.runFor(GETTING_USED);
    }

    private static boolean isFormed(SimulatedCluster cluster, int nodes) {
        return cluster.runningNodes().stream().map(SimulatedNode::state).allMatch(state -> isFormed(state, nodes));
    }

    private static boolean isFormed(ClusterState state, int nodes) {
        if (state.members().size() != nodes || state.seen().count() != nodes) {
            return false;
        }
        for (Member member : state.members()) {
            if (member.status() != MemberStatus.UP) {
                return false;
            }
        }
        return state.reachability().isAllReachable();
    }
}

package dev.muster.simulator.experiment;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.state.NodeId;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.SimulatedNode;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.plan.Purpose;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** One cluster with a sick node, and what it did to the healthy ones. */
public final class SickNodeRun {
    private static final double LOSS = 0.8;
    /** After the illness: long enough that whatever was decided during it has come to its end. */
    private static final Duration CONVALESCENCE = Duration.ofSeconds(60);

    private final SickNodeCase chosen;
    private final SimulatedCluster cluster;
    private final TreeSet<NodeId> everybody = new TreeSet<>();
    private final TreeSet<NodeId> sick = new TreeSet<>();
    private final TreeSet<NodeId> accused = new TreeSet<>();
    private final TreeSet<NodeId> condemned = new TreeSet<>();
    private final TreeSet<NodeId> condemnedBySickOnly = new TreeSet<>();

    private SickNodeRun(SickNodeCase chosen, SimulatedCluster cluster) {
        this.chosen = chosen;
        this.cluster = cluster;
        cluster.runningNodes().forEach(node -> everybody.add(node.id()));
        cluster.subscribe(this::heard);
    }

    /**
     * What came of one case.
     *
     * @param sickGone how many of the sick ones were removed or stopped themselves
     * @param healthyAccused how many healthy ones anybody held unreachable for a while
     * @param healthyLost how many healthy ones were declared down, removed, or stopped themselves
     * @param healthyLostInSickView how many a sick one declared down, although no healthy node ever heard of it: it was
     *     alone with its opinion
     */
    public record Outcome(
            SickNodeCase chosen,
            int sickGone,
            int healthyAccused,
            int healthyLost,
            int healthyLostInSickView,
            List<BrokenPromise> broken,
            Effort effort) {}

    static Outcome run(long seed, SickNodeCase chosen, Duration illness) {
        Dice dice = Dice.of(
                seed,
                Purpose.EXPERIMENT,
                chosen.nodes(),
                chosen.direction().ordinal(),
                chosen.patient().ordinal(),
                chosen.number());
        SimulatedCluster cluster = FormedCluster.of(dice.nextLong(), chosen.nodes(), chosen.settings());
        return new SickNodeRun(chosen, cluster).run(dice, illness);
    }

    private Outcome run(Dice dice, Duration illness) {
        List<Integer> slots = chosen.chooseSlots(cluster, dice);
        for (int slot : slots) {
            sick.add(cluster.node(slot).orElseThrow().id());
            cluster.lose(slot, chosen.direction(), LOSS);
        }
        cluster.runFor(illness);
        cluster.heal();
        cluster.runFor(CONVALESCENCE);
        return outcome();
    }

    private Outcome outcome() {
        TreeSet<NodeId> gone = new TreeSet<>(everybody);
        cluster.runningNodes().forEach(node -> gone.remove(node.id()));
        TreeSet<NodeId> lost = new TreeSet<>(condemned);
        lost.addAll(gone);
        lost.removeAll(sick);
        gone.retainAll(sick);
        condemnedBySickOnly.removeAll(lost);
        List<BrokenPromise> broken = new ArrayList<>(BrokenPromise.in(cluster));
        if (!lost.isEmpty()) {
            broken.add(new BrokenPromise("NET-15", chosen + ": lost " + lost.size() + " healthy members, " + lost));
        }
        return new Outcome(
                chosen,
                gone.size(),
                accused.size(),
                lost.size(),
                condemnedBySickOnly.size(),
                broken,
                Effort.of(cluster, chosen.nodes()));
    }

    private void heard(SimulatedNode node, ClusterEvent event) {
        if (event instanceof ClusterEvent.UnreachableMember unreachable) {
            addHealthy(accused, unreachable.member().id());
        } else if (event instanceof ClusterEvent.MemberDowned || event instanceof ClusterEvent.MemberRemoved) {
            NodeId subject = ((ClusterEvent.MemberEvent) event).member().id();
            addHealthy(sick.contains(node.id()) ? condemnedBySickOnly : condemned, subject);
        }
    }

    private void addHealthy(TreeSet<NodeId> set, NodeId subject) {
        if (!sick.contains(subject)) {
            set.add(subject);
        }
    }
}

package dev.muster.simulator.experiment;

import dev.muster.core.ClusterSettings;
import dev.muster.core.membership.Leader;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.fault.FaultAction;
import dev.muster.simulator.plan.Strategies;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One way in which a node can be sick.
 *
 * @param nodes how many there are
 * @param sick how many of them are sick
 * @param strategy the downing strategy, by its name
 * @param direction which of the packets of the sick one are lost
 * @param patient what the first of the sick ones is to the others; the rest are ordinary members
 * @param number tells apart what is otherwise equal
 */
public record SickNodeCase(
        int nodes, int sick, String strategy, FaultAction.Direction direction, Patient patient, int number) {

    /** Who falls ill. It matters: the oldest and the leader have duties that others wait for. */
    public enum Patient {
        OLDEST,
        LEADER,
        ORDINARY
    }

    ClusterSettings settings() {
        ClusterSettings defaults = ClusterSettings.defaults();
        return defaults.withDowning(defaults.downing().withStrategy(Strategies.named(strategy, nodes)));
    }

    /** The slots that fall ill. */
    List<Integer> chooseSlots(SimulatedCluster cluster, Dice dice) {
        ClusterState state = cluster.node(0).orElseThrow().state();
        NodeId oldest = oldestIn(state);
        NodeId leader = Leader.of(state, cluster.node(0).orElseThrow().id()).orElseThrow();
        List<Integer> ordinary = new ArrayList<>();
        for (Member member : state.members()) {
            if (!member.id().equals(oldest) && !member.id().equals(leader)) {
                ordinary.add(slotOf(cluster, member.id()));
            }
        }
        dice.shuffle(ordinary);
        List<Integer> chosen = new ArrayList<>();
        switch (patient) {
            case OLDEST -> chosen.add(slotOf(cluster, oldest));
            case LEADER -> chosen.add(slotOf(cluster, leader));
            case ORDINARY -> {}
        }
        chosen.addAll(ordinary.subList(0, sick - chosen.size()));
        return chosen;
    }

    private static NodeId oldestIn(ClusterState state) {
        Member oldest = null;
        for (Member member : state.members()) {
            oldest = oldest == null || member.isOlderThan(oldest) ? member : oldest;
        }
        return oldest == null ? null : oldest.id();
    }

    private static int slotOf(SimulatedCluster cluster, NodeId id) {
        return cluster.node(id).orElseThrow().slot();
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s, %d of %d sick, the %s, loss %s, case %d",
                strategy,
                sick,
                nodes,
                patient.name().toLowerCase(Locale.ROOT),
                direction.name().toLowerCase(Locale.ROOT),
                number);
    }
}

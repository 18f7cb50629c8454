package dev.muster.simulator.script;

import dev.muster.core.ClusterSnapshot;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.SimulatedNode;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** How a scenario speaks of nodes: {@code c} for the first process of a slot, {@code c'2} for the second. */
final class ScenarioText {
    private final SimulatedCluster cluster;
    private final Function<Integer, String> nameOfSlot;
    private final Function<NodeAddress, String> nameOfAddress;

    ScenarioText(
            SimulatedCluster cluster,
            Function<Integer, String> nameOfSlot,
            Function<NodeAddress, String> nameOfAddress) {
        this.cluster = cluster;
        this.nameOfSlot = nameOfSlot;
        this.nameOfAddress = nameOfAddress;
    }

    String name(SimulatedNode node) {
        String slot = nameOfSlot.apply(node.slot());
        int process = Integer.parseInt(node.name().substring(node.name().indexOf('#') + 1));
        return process == 0 ? slot : slot + "'" + (process + 1);
    }

    String name(NodeId id) {
        return cluster.node(id).map(this::name).orElseGet(id::toString);
    }

    private String names(Collection<NodeId> ids) {
        return ids.stream().map(this::name).collect(Collectors.joining(" "));
    }

    /** {@code a: a Up, b Up, c Up unreachable; leader a; converged}. */
    String view(SimulatedNode node) {
        ClusterSnapshot snapshot = node.snapshot();
        if (snapshot.phase() != ClusterSnapshot.Phase.MEMBER) {
            return name(node) + ": no member, " + snapshot.phase().name().toLowerCase(java.util.Locale.ROOT);
        }
        String members = snapshot.state().members().stream()
                .map(member -> row(snapshot, member))
                .collect(Collectors.joining(", "));
        return name(node) + ": " + members + "; leader "
                + snapshot.leader().map(this::name).orElse("none")
                + (snapshot.converged() ? "; converged" : "; not converged") + (node.isPaused() ? "; paused" : "");
    }

    private String row(ClusterSnapshot snapshot, Member member) {
        boolean isReachable = snapshot.state().isReachable(member.id());
        return name(member.id()) + " " + member.status().displayName() + (isReachable ? "" : " unreachable");
    }

    String event(ClusterEvent event) {
        String kind = event.getClass().getSimpleName();
        if (event instanceof ClusterEvent.MemberEvent changed) {
            return kind + " " + name(changed.member().id());
        }
        if (event instanceof ClusterEvent.UnreachableMember lost) {
            return kind + " " + name(lost.member().id());
        }
        if (event instanceof ClusterEvent.ReachableMember back) {
            return kind + " " + name(back.member().id());
        }
        if (event instanceof ClusterEvent.LeaderChanged changed) {
            return kind + " " + changed.leader().map(this::name).orElse("none");
        }
        if (event instanceof ClusterEvent.DowningDecided decided) {
            return kind + " " + decided.strategy() + " downs " + names(decided.down());
        }
        if (event instanceof ClusterEvent.JoinRefused refused) {
            return kind + " " + nameOfAddress.apply(refused.peer()) + ": " + String.join("; ", refused.reasons());
        }
        if (event instanceof ClusterEvent.IslandSuspected suspected) {
            return kind + " " + nameOfAddress.apply(suspected.other());
        }
        return event instanceof ClusterEvent.ClusterFormed formed ? kind + " " + formed.why() : kind;
    }

    /** What is worth a line by default: membership, reachability, leaders and alarms, not every refused message. */
    static boolean isTold(ClusterEvent event) {
        return !(event instanceof ClusterEvent.MessageRefused
                || event instanceof ClusterEvent.RoleLeaderChanged
                || event instanceof ClusterEvent.StillJoining
                || event instanceof ClusterEvent.CommandCarriedOut);
    }

    String list(List<SimulatedNode> nodes) {
        return nodes.isEmpty()
                ? "nobody"
                : nodes.stream().map(this::name).sorted().collect(Collectors.joining(" "));
    }
}

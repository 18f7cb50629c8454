package dev.muster.simulator;

import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.HeartbeatMessage;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.SeenSet;
import dev.muster.core.state.Tombstones;
import dev.muster.core.state.VectorClock;
import dev.muster.simulator.chance.Dice;
import dev.muster.simulator.fault.FaultAction.Forgery;
import java.util.ArrayList;
import java.util.List;

/** Writes messages that no honest node would send. Each must be refused whole and change nothing. */
final class Forger {
    private static final int PORT = 6666;
    private static final long HUGE = Long.MAX_VALUE / 2;

    private final World world;
    private final Dice dice;

    Forger(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    void forge(SimulatedNode victim, Forgery forgery, boolean spoofed) {
        String system = forgery == Forgery.JOIN_FROM_ANOTHER_SYSTEM
                ? "elsewhere"
                : victim.address().system();
        SimulatedNode stranger =
                world.startHostile(new NodeAddress(victim.address().protocol(), system, "evil", PORT), 666);
        NodeId from = spoofed ? aMemberOf(victim.state(), victim.id(), stranger.id()) : stranger.id();
        world.network().send(stranger, from, victim.address(), write(victim, forgery));
    }

    private Object write(SimulatedNode victim, Forgery forgery) {
        ClusterState state = victim.state();
        NodeId self = victim.id();
        return switch (forgery) {
            case GOSSIP_WITHOUT_RECEIVER -> gossip(self, withoutMember(state, self));
            case GOSSIP_CLAIMING_RECEIVERS_CHANGES ->
                gossip(self, withClock(state, self.clockKey(), state.version().counterOf(self.clockKey()) + 5));
            case GOSSIP_WITH_HUGE_CLOCK -> gossip(self, withClock(state, "f".repeat(32), HUGE));
            case GOSSIP_FOR_ANOTHER_INCARNATION ->
                gossip(
                        new NodeId(self.address(), self.uid() + 1),
                        withEverybodyDown(withClock(state, "e".repeat(32), 1), self));
            case REPLAYED_GOSSIP -> gossip(self, someoneElsesState());
            case JOIN_FROM_ANOTHER_SYSTEM -> new JoinMessage.Join(List.of(), "1.0", JoinConfiguration.UNKNOWN);
            case JOIN_FROM_ANOTHER_DATA_CENTER ->
                new JoinMessage.Join(List.of("dc-elsewhere"), "1.0", JoinConfiguration.UNKNOWN);
            case UNASKED_WELCOME -> new JoinMessage.Welcome(self, withEverybodyDown(state, self));
            case EXIT_CONFIRMED_BY_A_STRANGER -> new JoinMessage.ExitConfirmed();
            case HEARTBEAT_OF_A_STRANGER -> new HeartbeatMessage.HeartbeatReply(dice.below(100), 0);
        };
    }

    private static GossipMessage gossip(NodeId to, ClusterState state) {
        return new GossipMessage.GossipState(to, state);
    }

    private NodeId aMemberOf(ClusterState state, NodeId self, NodeId otherwise) {
        List<NodeId> others = new ArrayList<>();
        for (Member member : state.members()) {
            if (!member.id().equals(self)) {
                others.add(member.id());
            }
        }
        return others.isEmpty() ? otherwise : dice.pick(others);
    }

    private ClusterState someoneElsesState() {
        return dice.pick(world.runningNodes()).state();
    }

    private static ClusterState withoutMember(ClusterState state, NodeId gone) {
        List<Member> left = new ArrayList<>(state.members());
        left.removeIf(member -> member.id().equals(gone));
        return made(Members.of(left), state, state.version().increment("d".repeat(32)));
    }

    private static ClusterState withClock(ClusterState state, String key, long counter) {
        int size = state.version().size();
        List<String> keys = new ArrayList<>();
        List<Long> counters = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            if (!state.version().key(i).equals(key)) {
                keys.add(state.version().key(i));
                counters.add(state.version().counter(i));
            }
        }
        keys.add(key);
        counters.add(counter);
        VectorClock version = VectorClock.of(
                keys.toArray(new String[0]),
                counters.stream().mapToLong(Long::longValue).toArray());
        return made(state.members(), state, version);
    }

    private static ClusterState withEverybodyDown(ClusterState state, NodeId but) {
        List<Member> rows = new ArrayList<>();
        for (Member member : state.members()) {
            boolean isLast = member.id().equals(but) || !member.status().mayBecome(MemberStatus.DOWN);
            rows.add(isLast ? member : member.withStatus(MemberStatus.DOWN));
        }
        return made(Members.of(rows), state, state.version());
    }

    private static ClusterState made(Members members, ClusterState like, VectorClock version) {
        Tombstones tombstones = like.tombstones();
        return ClusterState.of(members, tombstones, Reachability.ALL_REACHABLE, version, SeenSet.NOBODY);
    }
}

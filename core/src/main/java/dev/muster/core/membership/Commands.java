package dev.muster.core.membership;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effects;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * Leave and down, as an operator gives them: each acts on exactly one incarnation, says which, and does no harm when it
 * is given twice. Specification: "User Actions".
 */
public final class Commands {
    private final NodeId self;

    public Commands(NodeId self) {
        this.self = self;
    }

    public ClusterState leave(ClusterState state, Command.Leave command, Effects effects) {
        Optional<Member> target = current(state, command.address());
        if (target.isEmpty()) {
            return refuse(state, command, noSuchMember(state, command.address()), effects);
        }
        Member member = target.get();
        effects.publish(new ClusterEvent.CommandCarriedOut(command, member.id()));
        return leave(state, member.id());
    }

    public ClusterState leave(ClusterState state, NodeId who) {
        return state.members()
                .find(who)
                .filter(it -> it.status().mayBecome(MemberStatus.LEAVING) && it.status() != MemberStatus.LEAVING)
                .map(it -> state.withMember(self, it.withStatus(MemberStatus.LEAVING)))
                .orElse(state); // it is on its way already
    }

    public ClusterState down(ClusterState state, Command.Down command, Effects effects) {
        return current(state, command.address())
                .map(member -> markDown(state, command, member, effects))
                .orElseGet(() -> refuse(state, command, noSuchMember(state, command.address()), effects));
    }

    public ClusterState down(ClusterState state, Command.DownIncarnation command, Effects effects) {
        return state.members()
                .find(command.id())
                .map(member -> markDown(state, command, member, effects))
                .orElseGet(() -> refuse(state, command, command.id() + " is no member", effects));
    }

    private ClusterState markDown(ClusterState state, Command command, Member member, Effects effects) {
        effects.publish(new ClusterEvent.CommandCarriedOut(command, member.id()));
        return member.status() == MemberStatus.DOWN
                ? state
                : state.withMember(self, member.withStatus(MemberStatus.DOWN));
    }

    public static <T> T refuse(T unchanged, Command command, String reason, Effects effects) {
        effects.publish(new ClusterEvent.CommandRefused(command, reason));
        return unchanged;
    }

    private static String noSuchMember(ClusterState state, NodeAddress address) {
        return "no member at " + address + "; the members are "
                + state.members().stream().map(m -> m.id().toString()).toList();
    }

    /** Of several incarnations at an address the one that is not down. */
    private static Optional<Member> current(ClusterState state, NodeAddress address) {
        List<Member> there = state.members().at(address);
        return there.stream()
                .filter(member -> member.status() != MemberStatus.DOWN)
                .findFirst()
                .or(() -> there.stream().findFirst());
    }
}

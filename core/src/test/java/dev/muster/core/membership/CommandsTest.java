package dev.muster.core.membership;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Command;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandsTest {
    private static final NodeId SELF = node("a");
    private static final NodeId B = node("b");

    private final Effects effects = new Effects();
    private final Commands commands = new Commands(SELF);

    @ParameterizedTest
    @CsvSource({
        "JOINING, LEAVING", "WEAKLY_UP, LEAVING", "UP, LEAVING", "PREPARING_FOR_SHUTDOWN, LEAVING",
        "LEAVING, LEAVING", "EXITING, EXITING", "DOWN, DOWN", "READY_FOR_SHUTDOWN, READY_FOR_SHUTDOWN"
    })
    void leaveSendsAMemberOnItsWayUnlessItIsThereAlready(MemberStatus before, MemberStatus after) {
        ClusterState state = aState().up("a").with(before, "b").build();
        Command.Leave command = new Command.Leave(address("b"));

        ClusterState next = commands.leave(state, command, effects);

        assertThat(next.members().statusOf(B)).isEqualTo(after);
        assertThat(next == state).isEqualTo(before == after);
        assertThat(next.version().counterOf(SELF.clockKey())).isEqualTo(before == after ? 0 : 1);
        assertCarriedOut(command, B);
    }

    @ParameterizedTest
    @CsvSource({"JOINING", "UP", "EXITING", "READY_FOR_SHUTDOWN", "DOWN"})
    void downDeclaresAMemberGoneOnce(MemberStatus before) {
        ClusterState state = aState().up("a").with(before, "b").build();
        Command.Down command = new Command.Down(address("b"));

        ClusterState next = commands.down(state, command, effects);

        assertThat(next.members().statusOf(B)).isEqualTo(DOWN);
        assertThat(next == state).isEqualTo(before == DOWN);
        assertCarriedOut(command, B);
    }

    @Test
    void byAddressMeansTheIncarnationThatIsNotDown() {
        NodeId newer = node("b", 99);
        ClusterState state = aState().up("a").down("b").with(member(newer, UP)).build();

        commands.leave(state, new Command.Leave(address("b")), effects);
        assertCarriedOut(new Command.Leave(address("b")), newer);
        assertThat(commands.down(state, new Command.Down(address("b")), effects)
                        .members()
                        .statusOf(newer))
                .isEqualTo(DOWN);
        assertCarriedOut(new Command.Down(address("b")), newer);
    }

    @Test
    void byIdMeansExactlyThatIncarnation() {
        NodeId newer = node("b", 99);
        ClusterState state = aState().up("a", "b").with(member(newer, UP)).build();

        ClusterState next = commands.down(state, new Command.DownIncarnation(B), effects);

        assertThat(next.members().statusOf(B)).isEqualTo(DOWN);
        assertThat(next.members().statusOf(newer)).isEqualTo(UP);
        assertCarriedOut(new Command.DownIncarnation(B), B);
    }

    @Test
    void aMemberThatIsNotThereIsNamedTogetherWithThoseThatAre() {
        ClusterState state = aState().up("a", "b").build();
        Command.Leave leave = new Command.Leave(address("x"));
        Command.Down down = new Command.Down(address("x"));
        Command.DownIncarnation exactly = new Command.DownIncarnation(node("b", 99));

        assertThat(commands.leave(state, leave, effects)).isSameAs(state);
        assertThat(commands.down(state, down, effects)).isSameAs(state);
        assertThat(commands.down(state, exactly, effects)).isSameAs(state);

        String reason = "no member at muster://test@x:2552; the members are [a:2552#1, b:2552#2]";
        assertThat(effects.list())
                .containsExactly(
                        new Effect.PublishEvent(new ClusterEvent.CommandRefused(leave, reason)),
                        new Effect.PublishEvent(new ClusterEvent.CommandRefused(down, reason)),
                        new Effect.PublishEvent(new ClusterEvent.CommandRefused(exactly, "b:2552#99 is no member")));
    }

    @Test
    void aNodeCanLeaveByItself() {
        assertThat(commands.leave(aState().up("a").build(), new Command.Leave(address("a")), effects)
                        .members()
                        .statusOf(SELF))
                .isEqualTo(LEAVING);
    }

    private void assertCarriedOut(Command command, NodeId target) {
        assertThat(effects.list())
                .containsExactly(new Effect.PublishEvent(new ClusterEvent.CommandCarriedOut(command, target)));
        effects.clear();
    }
}

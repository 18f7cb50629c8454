package dev.muster.core.membership;

import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.up;
import static dev.muster.core.Nodes.withRoles;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.EXITING;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.PREPARING_FOR_SHUTDOWN;
import static dev.muster.core.state.MemberStatus.READY_FOR_SHUTDOWN;
import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.core.state.MemberStatus.WEAKLY_UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.StateBuilder;
import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StateDifferenceTest {

    @Test
    void theDifferenceToNothingIsTheCurrentStateAsEvents() {
        StateBuilder now = aState().with(up("a", 1))
                .joining("b")
                .with(WEAKLY_UP, "c")
                .with(LEAVING, "d")
                .with(EXITING, "e")
                .down("f")
                .with(PREPARING_FOR_SHUTDOWN, "g")
                .with(READY_FOR_SHUTDOWN, "h")
                .unreachable("a", "f");

        assertThat(difference(aState(), now))
                .containsExactly(
                        new ClusterEvent.MemberUp(up("a", 1)),
                        new ClusterEvent.MemberJoined(member("b", JOINING)),
                        new ClusterEvent.MemberWeaklyUp(member("c", WEAKLY_UP)),
                        new ClusterEvent.MemberLeft(member("d", LEAVING)),
                        new ClusterEvent.MemberExited(member("e", EXITING)),
                        new ClusterEvent.MemberDowned(member("f", DOWN)),
                        new ClusterEvent.MemberPreparingForShutdown(member("g", PREPARING_FOR_SHUTDOWN)),
                        new ClusterEvent.MemberReadyForShutdown(member("h", READY_FOR_SHUTDOWN)),
                        new ClusterEvent.UnreachableMember(member("f", DOWN)),
                        new ClusterEvent.LeaderChanged(Optional.of(node("a"))));
    }

    @Test
    void onlyWhatChangedIsTold() {
        assertThat(difference(
                        aState().up("a").joining("b", "d"),
                        aState().up("a", "b").joining("c", "d")))
                .containsExactly(
                        new ClusterEvent.MemberUp(up("b", 2)), new ClusterEvent.MemberJoined(member("c", JOINING)));
    }

    @Test
    void aRemovalTellsTheLastStatus() {
        assertThat(difference(
                        aState().up("a").down("b").with(EXITING, "c"),
                        aState().up("a").removed("b", "c")))
                .containsExactly(
                        new ClusterEvent.MemberRemoved(member("b", DOWN), DOWN),
                        new ClusterEvent.MemberRemoved(member("c", EXITING), EXITING));
    }

    @Test
    void unreachableIsToldOnceAndReachableWhenTheLastAccuserIsGone() {
        StateBuilder calm = aState().up("a", "b", "c");
        StateBuilder one = aState().up("a", "b", "c").unreachable("a", "c");
        StateBuilder two = aState().up("a", "b", "c").unreachable("a", "c").unreachable("b", "c");

        assertThat(difference(calm, one)).containsExactly(new ClusterEvent.UnreachableMember(up("c", 3)));
        assertThat(difference(one, two)).isEmpty();
        assertThat(difference(two, one)).isEmpty();
        assertThat(difference(one, calm)).containsExactly(new ClusterEvent.ReachableMember(up("c", 3)));
    }

    @Test
    void aMemberIsReachableAgainWhenItsOnlyAccuserIsDeclaredDown() {
        assertThat(difference(
                        aState().up("a", "b", "c").unreachable("c", "b"),
                        aState().up("a", "b").down("c").unreachable("c", "b")))
                .containsExactly(
                        new ClusterEvent.MemberDowned(member("c", DOWN)), new ClusterEvent.ReachableMember(up("b", 2)));
    }

    @Test
    void aMemberThatWasUnreachableAndIsRemovedIsNotReachableAgain() {
        assertThat(difference(
                        aState().up("a").down("b").unreachable("a", "b"),
                        aState().up("a").removed("b")))
                .containsExactly(new ClusterEvent.MemberRemoved(member("b", DOWN), DOWN));
    }

    @Test
    void aChangeOfLeaderIsTold() {
        assertThat(difference(aState().joining("a").up("b"), aState().up("a", "b")))
                .containsExactly(
                        new ClusterEvent.MemberUp(up("a", 1)), new ClusterEvent.LeaderChanged(Optional.of(node("a"))));
        assertThat(difference(aState().up("a"), aState()))
                .containsExactly(
                        new ClusterEvent.MemberRemoved(up("a", 1), UP),
                        new ClusterEvent.LeaderChanged(Optional.empty()));
    }

    @Test
    void aChangeOfRoleLeadersIsToldRoleByRole() {
        Member b = withRoles(up("b", 2), "x", "y");
        Member c = withRoles(up("c", 3), "x");
        StateBuilder before = aState().up("a").with(b).with(c);
        StateBuilder after = aState().up("a").with(c).removed("b");

        assertThat(difference(aState().up("a"), before))
                .containsExactly(
                        new ClusterEvent.MemberUp(b),
                        new ClusterEvent.MemberUp(c),
                        new ClusterEvent.RoleLeaderChanged("x", Optional.of(node("b"))),
                        new ClusterEvent.RoleLeaderChanged("y", Optional.of(node("b"))));
        assertThat(difference(before, after))
                .containsExactly(
                        new ClusterEvent.MemberRemoved(b, UP),
                        new ClusterEvent.RoleLeaderChanged("x", Optional.of(node("c"))),
                        new ClusterEvent.RoleLeaderChanged("y", Optional.empty()));
    }

    @Test
    void newVersionsAndEyesAreNoEvents() {
        ClusterState before = aState().up("a", "b").build();

        Effects effects = new Effects();
        StateDifference.publish(before, before.seenBy(node("a")), node("a"), effects);
        StateDifference.publish(before, before, node("a"), effects);
        assertThat(effects.list()).isEmpty();
    }

    private static List<ClusterEvent> difference(StateBuilder before, StateBuilder after) {
        Effects effects = new Effects();
        NodeId self = node("a");
        StateDifference.publish(before.build(), after.build(), self, effects);
        return effects.list().stream()
                .map(effect -> ((Effect.PublishEvent) effect).event())
                .toList();
    }
}

package dev.muster.core.membership;

import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.withRoles;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.EXITING;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.core.state.MemberStatus.WEAKLY_UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.StateBuilder;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LeaderTest {

    @ParameterizedTest
    @CsvSource({
        "UP, a",
        "LEAVING, a",
        "PREPARING_FOR_SHUTDOWN, a",
        "READY_FOR_SHUTDOWN, a",
        "JOINING, b",
        "WEAKLY_UP, b",
        "EXITING, b",
        "DOWN, b",
    })
    void isTheFirstThatIsUpOrLeaving(MemberStatus statusOfFirst, String leader) {
        assertThat(leaderOf(aState().with(statusOfFirst, "a").with(UP, "b", "c"), "c"))
                .contains(node(leader));
    }

    @Test
    void whileNobodyIsUpTheRankDecides() {
        assertThat(leaderOf(aState().with(EXITING, "a").joining("b").with(WEAKLY_UP, "c", "d"), "a"))
                .contains(node("c"));
        assertThat(leaderOf(aState().with(EXITING, "a").joining("b", "c"), "a")).contains(node("b"));
        assertThat(leaderOf(aState().with(EXITING, "a", "b"), "a")).contains(node("a"));
        assertThat(leaderOf(aState().joining("a").with(WEAKLY_UP, "b"), "a")).contains(node("b"));
        assertThat(leaderOf(aState().joining("a").with(EXITING, "b"), "b")).contains(node("a"));
    }

    @Test
    void theDownNeverLead() {
        assertThat(leaderOf(aState().with(DOWN, "a", "b"), "a")).isEmpty();
        assertThat(leaderOf(aState().with(DOWN, "a").with(EXITING, "b"), "a")).contains(node("b"));
        assertThat(leaderOf(aState(), "a")).isEmpty();
    }

    @Test
    void theUnreachableDoNotLeadExceptInTheirOwnEyes() {
        StateBuilder state =
                aState().up("a", "b", "c").unreachable("c", "a").says("c", "b", ReachabilityStatus.TERMINATED);

        assertThat(leaderOf(state, "c")).contains(node("c"));
        assertThat(leaderOf(state, "a")).contains(node("a"));
        assertThat(leaderOf(state, "b")).contains(node("b"));
    }

    @Test
    void whenAllAreUnreachableEachLeadsAlone() {
        StateBuilder state = aState().up("a", "b").unreachable("a", "b").unreachable("b", "a");

        assertThat(leaderOf(state, "a")).contains(node("a"));
        assertThat(leaderOf(state, "b")).contains(node("b"));
        assertThat(leaderOf(state, "x")).isEmpty();
    }

    @Test
    void theWordsOfDownObserversDoNotUnseatALeader() {
        assertThat(leaderOf(aState().up("a", "b").down("c").unreachable("c", "a"), "b"))
                .contains(node("a"));
    }

    @Test
    void aReachableJoiningMemberBeatsAnUnreachableUpOne() {
        assertThat(leaderOf(aState().up("a").joining("b", "c").unreachable("b", "a"), "b"))
                .contains(node("b"));
    }

    @Test
    void eachRoleHasTheFirstOfItsOwn() {
        StateBuilder state = aState().with(withRoles(member("a", JOINING), "x", "y"))
                .with(withRoles(member("b", UP), "x"))
                .with(withRoles(member("c", LEAVING), "x", "z"))
                .with(withRoles(member("d", DOWN), "down-only"));

        assertThat(Leader.ofRoles(state.build(), node("a")))
                .hasSize(3)
                .containsEntry("x", node("b"))
                .containsEntry("y", node("a"))
                .containsEntry("z", node("c"));
    }

    @Test
    void aFilterNarrowsWhoMayLead() {
        StateBuilder state = aState().up("a", "b", "c");

        assertThat(Leader.among(state.build(), node("a"), m -> !m.id().equals(node("a"))))
                .contains(node("b"));
        assertThat(Leader.among(state.build(), node("a"), m -> false)).isEmpty();
    }

    private static Optional<NodeId> leaderOf(StateBuilder state, String self) {
        return Leader.of(state.build(), node(self));
    }
}

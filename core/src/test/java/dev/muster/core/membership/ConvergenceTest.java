package dev.muster.core.membership;

import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.nodes;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.EXITING;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.MemberStatus.UP;
import static dev.muster.core.state.MemberStatus.WEAKLY_UP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.StateBuilder;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.Member;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.Reachability;
import dev.muster.core.state.ReachabilityRow;
import dev.muster.core.state.ReachabilityStatus;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConvergenceTest {
    private static final NodeId SELF = node("a");

    @ParameterizedTest
    @CsvSource({
        "JOINING, true",
        "WEAKLY_UP, true",
        "UP, false",
        "PREPARING_FOR_SHUTDOWN, false",
        "LEAVING, false",
        "EXITING, true",
        "DOWN, true",
        "READY_FOR_SHUTDOWN, false",
    })
    void onlySomeMustHaveSeenTheVersion(MemberStatus statusOfUnseen, boolean converged) {
        StateBuilder state = aState().up("a").with(statusOfUnseen, "b").seenBy("a");

        assertThat(hasConverged(state)).isEqualTo(converged);
        assertThat(hasConverged(aState().up("a").with(statusOfUnseen, "b").seenByAll()))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "JOINING, false",
        "WEAKLY_UP, false",
        "UP, false",
        "PREPARING_FOR_SHUTDOWN, false",
        "LEAVING, false",
        "EXITING, true",
        "DOWN, true",
        "READY_FOR_SHUTDOWN, false",
    })
    void anUnreachableMemberBlocksUnlessItIsOnItsWayOut(MemberStatus status, boolean converged) {
        assertThat(hasConverged(
                        aState().up("a").with(status, "b").unreachable("a", "b").seenByAll()))
                .isEqualTo(converged);
    }

    @Test
    void whileNobodyIsUpTheJoiningMustHaveSeenItToo() {
        assertThat(hasConverged(aState().joining("a").with(WEAKLY_UP, "b").seenByAll()))
                .isTrue();
        assertThat(hasConverged(aState().joining("a").with(WEAKLY_UP, "b").seenBy("a")))
                .isFalse();
        assertThat(hasConverged(aState().joining("a", "b").seenBy("a"))).isFalse();
        assertThat(hasConverged(aState().joining("a").with(EXITING, "b").seenBy("a")))
                .isTrue();
        assertThat(hasConverged(aState().joining("a").with(DOWN, "b").seenBy("a")))
                .isTrue();
    }

    @Test
    void whoLeavesWithoutHavingBeenUpDoesNotDecideAlone() {
        Member neverUp = Member.joining(node("b"), List.of(), "").withStatus(LEAVING);

        assertThat(hasConverged(aState().joining("a", "c").with(neverUp).seenBy("b")))
                .isFalse();
        assertThat(hasConverged(aState().joining("a", "c").with(neverUp).seenBy("a", "c")))
                .isFalse();
        assertThat(hasConverged(aState().joining("a", "c").with(neverUp).seenByAll()))
                .isTrue();
        assertThat(hasConverged(aState().up("a").joining("c").with(neverUp).seenBy("a", "b")))
                .isTrue();
        assertThat(hasConverged(aState().up("a").joining("c").with(neverUp).seenBy("a")))
                .isFalse();
    }

    @Test
    void whoConfirmedItsExitNeedNotSeeNorBeReachable() {
        StateBuilder unseen = aState().up("a").with(LEAVING, "b").seenBy("a");
        assertThat(hasConverged(unseen, "b")).isTrue();
        assertThat(hasConverged(unseen, "a")).isFalse();

        assertThat(hasConverged(
                        aState().up("a")
                                .with(LEAVING, "b")
                                .unreachable("a", "b")
                                .seenBy("a"),
                        "b"))
                .isTrue();
        assertThat(hasConverged(aState().joining("a", "b").seenBy("a"), "b")).isTrue();
    }

    @Test
    void theWordsOfDownObserversDoNotBlock() {
        assertThat(hasConverged(
                        aState().up("a", "b").down("c").unreachable("c", "b").seenByAll()))
                .isTrue();
        assertThat(hasConverged(aState().up("a", "b")
                        .with(EXITING, "c")
                        .unreachable("c", "b")
                        .seenByAll()))
                .isFalse();
    }

    @Test
    void whatOthersSayOfMeDoesNotBlockMe() {
        StateBuilder accused = aState().up("a", "b").unreachable("b", "a").seenByAll();

        assertThat(hasConverged(accused)).isTrue();
        assertThat(Convergence.hasConverged(accused.build(), node("b"), new TreeSet<>()))
                .isFalse();
    }

    @Test
    void anEmptyStateIsConverged() {
        assertThat(hasConverged(aState())).isTrue();
    }

    @Test
    void namesThoseWhoseEyesAreMissing() {
        StateBuilder state = aState().up("a")
                .with(LEAVING, "b")
                .joining("c")
                .with(EXITING, "d")
                .with(UP, "e")
                .seenBy("a");

        assertThat(Convergence.missing(state.build(), new TreeSet<>(nodes("b"))))
                .containsExactly(member("e", UP));
        assertThat(Convergence.missing(aState().joining("a", "b").seenBy("a").build(), new TreeSet<>()))
                .containsExactly(member("b", JOINING));
    }

    @Test
    void namesEachBlockerOnce() {
        StateBuilder state = aState().with(UP, "a", "b", "c")
                .joining("d")
                .unreachable("a", "d")
                .unreachable("b", "d")
                .says("b", "c", ReachabilityStatus.TERMINATED)
                .unreachable("c", "a");

        assertThat(Convergence.unreachableBlockers(state.build(), SELF, new TreeSet<>()))
                .containsExactly(member("c", UP), member("d", JOINING));
        assertThat(Convergence.unreachableBlockers(state.build(), SELF, new TreeSet<>(nodes("c", "d"))))
                .isEmpty();
    }

    @Test
    void aRecordThatSaysReachableBlocksNobody() {
        var state = aState().up("a", "b").seenByAll().build();
        var reachable = new ReachabilityRow(
                SELF, 1, List.of(new ReachabilityRow.Observation(node("b"), ReachabilityStatus.REACHABLE, 1)));
        var withRecord = ClusterState.of(
                state.members(),
                state.tombstones(),
                Reachability.of(List.of(reachable)),
                state.version(),
                state.seen());

        assertThat(Convergence.hasConverged(withRecord, SELF, new TreeSet<>())).isTrue();
    }

    private static boolean hasConverged(StateBuilder state, String... exitConfirmed) {
        return Convergence.hasConverged(state.build(), SELF, new TreeSet<>(nodes(exitConfirmed)));
    }
}

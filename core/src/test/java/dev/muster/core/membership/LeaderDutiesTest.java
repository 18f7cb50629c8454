package dev.muster.core.membership;

import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.nodes;
import static dev.muster.core.Nodes.up;
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
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class LeaderDutiesTest {
    private static final NodeId SELF = node("a");
    private static final long STAMP = 5_000;

    private final LeaderDuties duties = duties(LifecycleSettings.defaults());

    @Test
    void joiningAndWeaklyUpBecomeUpWithTheNextNumbersInMemberOrder() {
        ClusterState next = converge(aState().with(up("a", 4))
                .with(up("b", 2))
                .joining("d")
                .with(WEAKLY_UP, "c")
                .joining("e"));

        assertThat(next.members()).containsExactly(up("a", 4), up("b", 2), up("c", 5), up("d", 6), up("e", 7));
    }

    @Test
    void theFirstMemberIsNumberOne() {
        assertThat(converge(aState().joining("a")).members()).containsExactly(up("a", 1));
    }

    @Test
    void leavingBecomesExiting() {
        assertThat(converge(aState().up("a").with(LEAVING, "b")).members().statusOf(node("b")))
                .isEqualTo(EXITING);
        assertThat(converge(aState().with(LEAVING, "a")).members().statusOf(SELF))
                .isEqualTo(EXITING);
    }

    @Test
    void theDownAreRemoved() {
        ClusterState next =
                converge(aState().up("a").down("b").unreachable("a", "b").version("b", 3));

        assertThat(next.members()).containsExactly(up("a", 1));
        assertThat(next.tombstones().ids()).containsExactly(node("b"));
        assertThat(next.tombstones().stampMillisOf(node("b"))).isEqualTo(STAMP);
        assertThat(next.reachability().isAllReachable()).isTrue();
        assertThat(next.version().contains(node("b").clockKey())).isFalse();
    }

    @Test
    void theExitingAreRemovedOnceTheyConfirmedOrCannotBeReached() {
        assertThat(converge(aState().up("a").with(EXITING, "b")).members()).hasSize(2);
        assertThat(converge(aState().up("a").with(EXITING, "b"), "b")
                        .tombstones()
                        .ids())
                .containsExactly(node("b"));
        assertThat(converge(aState().up("a", "c").with(EXITING, "b").unreachable("c", "b"))
                        .tombstones()
                        .ids())
                .containsExactly(node("b"));
        assertThat(converge(aState().up("a").down("c").with(EXITING, "b").unreachable("c", "b"))
                        .tombstones()
                        .ids())
                .containsExactly(node("c"));
    }

    @Test
    void theLeaderNeverRemovesItself() {
        ClusterState exiting = aState().with(EXITING, "a").build();

        assertThat(duties.onConvergence(exiting, new TreeSet<>(nodes("a")), STAMP))
                .isSameAs(exiting);
        assertThat(converge(aState().with(EXITING, "a").down("b"), "a")
                        .tombstones()
                        .ids())
                .containsExactly(node("b"));
    }

    @Test
    void allThatIsDueIsOneChange() {
        ClusterState before = aState().up("a")
                .joining("b")
                .with(LEAVING, "c")
                .down("d")
                .version("a", 6)
                .seenByAll()
                .build();

        ClusterState next = duties.onConvergence(before, new TreeSet<>(), STAMP);

        assertThat(next.version().counterOf(SELF.clockKey())).isEqualTo(7);
        assertThat(next.members().statusOf(node("b"))).isEqualTo(UP);
        assertThat(next.members().statusOf(node("c"))).isEqualTo(EXITING);
        assertThat(next.members().has(node("d"))).isFalse();
        assertThat(next.seen().count()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = MemberStatus.class,
            names = {"UP", "PREPARING_FOR_SHUTDOWN", "READY_FOR_SHUTDOWN"})
    void whereNothingIsDueNothingChanges(MemberStatus status) {
        ClusterState state = aState().with(status, "a", "b").build();

        assertThat(duties.onConvergence(state, new TreeSet<>(), STAMP)).isSameAs(state);
        assertThat(duties.whileBlocked(state)).isSameAs(state);
    }

    @ParameterizedTest
    @CsvSource({"2, 3, false", "3, 3, true", "4, 3, true"})
    void nobodyBecomesUpBeforeThereAreEnoughMembers(int members, int minimum, boolean becomesUp) {
        LeaderDuties demanding = duties(LifecycleSettings.defaults().withMinNrOfMembers(minimum));
        String[] names = {"a", "b", "c", "d"};
        StateBuilder state = aState();
        for (int i = 0; i < members; i++) {
            state.joining(names[i]);
        }

        ClusterState next = demanding.onConvergence(state.build(), new TreeSet<>(), STAMP);
        assertThat(next.members().statusOf(SELF)).isEqualTo(becomesUp ? UP : JOINING);
        ClusterState weakly = demanding.whileBlocked(state.build());
        assertThat(weakly.members().statusOf(SELF)).isEqualTo(becomesUp ? WEAKLY_UP : JOINING);
    }

    @Test
    void thoseOnTheirWayOutDoNotMakeUpTheNumber() {
        LeaderDuties demanding = duties(LifecycleSettings.defaults().withMinNrOfMembers(3));
        StateBuilder leaving = aState().joining("a").with(LEAVING, "b", "c");
        StateBuilder gone = aState().joining("a").with(EXITING, "b").with(DOWN, "c");

        assertThat(demanding
                        .onConvergence(leaving.build(), new TreeSet<>(), STAMP)
                        .members()
                        .statusOf(SELF))
                .isEqualTo(UP);
        assertThat(demanding
                        .onConvergence(gone.build(), new TreeSet<>(), STAMP)
                        .members()
                        .statusOf(SELF))
                .isEqualTo(JOINING);
        assertThat(demanding.missingMembers(gone.build())).isEqualTo("min-nr-of-members is 3 and the cluster has 1");
        assertThat(demanding.missingMembers(leaving.build())).isEmpty();
    }

    @Test
    void eachRoleCanHaveItsOwnMinimum() {
        LeaderDuties demanding = duties(
                LifecycleSettings.defaults().withMinNrOfMembersPerRole(new TreeMap<>(Map.of("back", 2, "front", 1))));
        StateBuilder oneBack = aState().with(withRoles(member("a", JOINING), "back", "front"));
        StateBuilder noFront =
                aState().with(withRoles(member("a", JOINING), "back")).with(withRoles(member("b", JOINING), "back"));
        StateBuilder enough = aState().with(withRoles(member("a", JOINING), "back", "front"))
                .with(withRoles(member("b", JOINING), "back"));

        assertThat(demanding
                        .onConvergence(oneBack.build(), new TreeSet<>(), STAMP)
                        .members()
                        .statusOf(SELF))
                .isEqualTo(JOINING);
        assertThat(demanding
                        .onConvergence(noFront.build(), new TreeSet<>(), STAMP)
                        .members()
                        .statusOf(SELF))
                .isEqualTo(JOINING);
        assertThat(demanding
                        .onConvergence(enough.build(), new TreeSet<>(), STAMP)
                        .members()
                        .statusOf(SELF))
                .isEqualTo(UP);
        assertThat(demanding.missingMembers(oneBack.build()))
                .isEqualTo("role.back.min-nr-of-members is 2 and the cluster has 1");
        assertThat(demanding.missingMembers(noFront.build()))
                .isEqualTo("role.front.min-nr-of-members is 1 and the cluster has 0");
        assertThat(demanding.missingMembers(enough.build())).isEmpty();
    }

    @Test
    void whileBlockedOnlyReachableJoiningMembersBecomeWeaklyUp() {
        ClusterState next = duties.whileBlocked(aState().up("a")
                .joining("b", "c")
                .with(LEAVING, "d")
                .down("e")
                .unreachable("a", "c")
                .unreachable("a", "d")
                .build());

        assertThat(next.members())
                .containsExactly(
                        up("a", 1),
                        member("b", WEAKLY_UP),
                        member("c", JOINING),
                        member("d", LEAVING),
                        member("e", DOWN));
        assertThat(next.version().counterOf(SELF.clockKey())).isEqualTo(1);
        assertThat(duties.whileBlocked(next)).isSameAs(next);
    }

    @Test
    void whoMayNotMoveOnStaysWhatItIs() {
        ClusterState state = aState().with(up("a", 1))
                .with(JOINING, "b", "c")
                .with(LEAVING, "d", "e")
                .seenByAll()
                .build();
        ClusterState next = duties.onConvergence(
                state, new TreeSet<>(), member -> List.of(node("b"), node("d")).contains(member.id()), STAMP);
        assertThat(next.members())
                .containsExactly(
                        up("a", 1), up("b", 2), member("c", JOINING), member("d", EXITING), member("e", LEAVING));
    }

    private ClusterState converge(StateBuilder state, String... exitConfirmed) {
        return duties.onConvergence(state.build(), new TreeSet<>(nodes(exitConfirmed)), STAMP);
    }

    private static LeaderDuties duties(LifecycleSettings settings) {
        return new LeaderDuties(SELF, settings);
    }
}

package dev.muster.core.state;

import static dev.muster.core.Nodes.member;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.up;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.DOWN;
import static dev.muster.core.state.MemberStatus.JOINING;
import static dev.muster.core.state.ReachabilityStatus.REACHABLE;
import static dev.muster.core.state.ReachabilityStatus.TERMINATED;
import static dev.muster.core.state.ReachabilityStatus.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ClusterStateTest {
    private static final NodeId A = node("a");
    private static final NodeId B = node("b");
    private static final NodeId C = node("c");
    private static final Members AB = Members.of(List.of(up("a", 1), up("b", 2)));

    @Test
    void aLocalChangeCountsUpTheAuthorAndOnlyTheAuthorHasSeenIt() {
        ClusterState before = aState().up("a", "b")
                .version("a", 3)
                .version("b", 1)
                .seenByAll()
                .build();

        ClusterState after = before.withMember(B, member("c", JOINING));

        assertThat(after)
                .isEqualTo(aState().up("a", "b")
                        .joining("c")
                        .version("a", 3)
                        .version("b", 2)
                        .seenBy("b")
                        .build());
    }

    @Test
    void aChangeOfReachabilityIsALocalChangeToo() {
        ClusterState before = aState().up("a", "b").version("a", 1).seenByAll().build();

        ClusterState after = before.withReachability(A, before.reachability().marked(A, B, UNREACHABLE));

        assertThat(after)
                .isEqualTo(aState().up("a", "b")
                        .unreachable("a", "b")
                        .version("a", 2)
                        .seenBy("a")
                        .build());
    }

    @Test
    void removalTakesRowsWordsAndClockEntriesAndLeavesTombstones() {
        ClusterState before = aState().up("a", "b", "c")
                .unreachable("a", "c")
                .unreachable("c", "a")
                .unreachable("a", "b")
                .removed("d")
                .version("a", 1)
                .version("c", 7)
                .seenByAll()
                .build();

        ClusterState after = before.withRemoved(A, before.members(), List.of(C), 5_000);

        assertThat(after.members()).isEqualTo(AB);
        assertThat(after.tombstones().ids()).containsExactly(C, node("d"));
        assertThat(after.tombstones().stampMillisOf(C)).isEqualTo(5_000);
        assertThat(after.reachability().rows()).hasSize(1);
        assertThat(after.reachability().statusOf(A, C)).isEqualTo(REACHABLE);
        assertThat(after.reachability().statusOf(A, B)).isEqualTo(UNREACHABLE);
        assertThat(after.reachability().versionOf(A)).isEqualTo(2);
        assertThat(after.version()).isEqualTo(aState().version("a", 2).build().version());
        assertThat(after.seen()).isEqualTo(SeenSet.only(0));
    }

    @Test
    void aRemovalCanCarryOtherChanges() {
        ClusterState before =
                aState().up("a").joining("b").down("c").seenByAll().build();

        ClusterState after = before.withRemoved(A, before.members().with(up("b", 2)), List.of(C), 1);

        assertThat(after.members()).isEqualTo(AB);
    }

    @Test
    void anAuthorThatRemovesItselfLeavesAStateSeenByNobody() {
        ClusterState after = aState().up("a", "b").build().withRemoved(A, AB, List.of(A), 1);

        assertThat(after.seen()).isEqualTo(SeenSet.NOBODY);
        assertThat(after.members()).containsExactly(up("b", 2));
    }

    @Test
    void tombstonesAreLetGoByALocalChange() {
        ClusterState before =
                aState().up("a").removed("b", "c").version("a", 1).seenByAll().build();

        assertThat(before.withoutTombstones(A, List.of(B)))
                .isEqualTo(aState().up("a")
                        .removed("c")
                        .version("a", 2)
                        .seenBy("a")
                        .build());
    }

    @Test
    void onlyMembersCanHaveSeenAState() {
        ClusterState state = aState().up("a", "b").build();

        assertThat(state.seenBy(B).isSeenBy(B)).isTrue();
        assertThat(state.seenBy(B).isSeenBy(A)).isFalse();
        assertThat(state.isSeenBy(C)).isFalse();
        ClusterState seen = state.seenBy(B);
        assertThat(seen.seenBy(B)).isSameAs(seen);
        assertThatIllegalStateException()
                .isThrownBy(() -> state.seenBy(C))
                .withMessage("c:2552#3 cannot have seen a state in which it is no member");
    }

    @Test
    void theWordsOfDownObserversAndOfStrangersDoNotCount() {
        ClusterState state = aState().up("a", "b")
                .down("c")
                .unreachable("c", "a")
                .unreachable("b", "a")
                .build();

        assertThat(state.isTrustedObserver(B)).isTrue();
        assertThat(state.isTrustedObserver(C)).isFalse();
        assertThat(state.isTrustedObserver(node("x"))).isFalse();
        assertThat(state.trustedObservers().test(C)).isFalse();
        assertThat(state.reachabilityOf(A)).isEqualTo(UNREACHABLE);
        assertThat(state.isReachable(A)).isFalse();
        assertThat(state.isReachable(B)).isTrue();

        ClusterState onlyDownAccuses =
                aState().up("a", "b").down("c").says("c", "a", TERMINATED).build();
        assertThat(onlyDownAccuses.reachabilityOf(A)).isEqualTo(REACHABLE);
    }

    @Test
    void theUnreachableAreThoseThatATrustedObserverAccuses() {
        ClusterState state = aState().up("a", "b", "c")
                .down("d")
                .unreachable("a", "b")
                .says("a", "c", TERMINATED)
                .unreachable("d", "a")
                .build();

        assertThat(state.unreachable()).containsExactly(B, C);
        assertThat(state.seenBy(A).unreachable()).isSameAs(state.unreachable());
        assertThat(state.isReachable(B)).isFalse();
        assertThat(state.isReachable(A)).isTrue();
        assertThat(aState().up("a").build().unreachable()).isEmpty();
        assertThatThrownBy(() -> state.unreachable().clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void disregardingLeavesOutEveryWordOnThese() {
        ClusterState state = aState().up("a", "b", "c")
                .unreachable("a", "b")
                .unreachable("a", "c")
                .unreachable("b", "c")
                .version("a", 4)
                .seenBy("a")
                .build();

        ClusterState without = state.disregarding(new TreeSet<>(List.of(C)));
        assertThat(without.unreachable()).containsExactly(B);
        assertThat(without.reachability().statusOf(A, C)).isEqualTo(REACHABLE);
        assertThat(without.members()).isSameAs(state.members());
        assertThat(without.version()).isSameAs(state.version());
        assertThat(without.seen()).isSameAs(state.seen());
        assertThat(state.disregarding(new TreeSet<>(List.of(B, C))).unreachable())
                .isEmpty();
        assertThat(state.unreachable()).containsExactly(B, C);
    }

    @Test
    void refusesPartsThatDoNotFitTogether() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(AB, Tombstones.NONE, Reachability.ALL_REACHABLE.marked(C, A, UNREACHABLE), 0))
                .withMessage("state has a reachability row of c:2552#3, which is no member of it");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(AB, Tombstones.NONE, Reachability.ALL_REACHABLE.marked(A, C, UNREACHABLE), 0))
                .withMessage("state has a reachability record on c:2552#3, which is no member of it");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(AB, Tombstones.NONE.with(B, 1), Reachability.ALL_REACHABLE, 0))
                .withMessage("state has both a row and a tombstone of b:2552#2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(AB, Tombstones.NONE, Reachability.ALL_REACHABLE, 2))
                .withMessage("state was seen by number 2 of only 2 members");
        assertThat(of(AB, Tombstones.NONE.with(C, 1), Reachability.ALL_REACHABLE.marked(A, B, UNREACHABLE), 1)
                        .isSeenBy(B))
                .isTrue();
    }

    private static ClusterState of(Members members, Tombstones tombstones, Reachability reachability, int seen) {
        return ClusterState.of(members, tombstones, reachability, VectorClock.EMPTY, SeenSet.only(seen));
    }

    @Test
    void contentIsEverythingButVersionAndSeen() {
        ClusterState state =
                aState().up("a", "b").removed("c").unreachable("a", "b").build();

        assertThat(state.sameContentAs(state)).isTrue();
        assertThat(state.sameContentAs(aState().up("a", "b")
                        .removed("c")
                        .unreachable("a", "b")
                        .version("a", 1)
                        .seenByAll()
                        .build()))
                .isTrue();
        assertThat(state.sameContentAs(aState().up("a")
                        .down("b")
                        .removed("c")
                        .unreachable("a", "b")
                        .build()))
                .isFalse();
        assertThat(state.sameContentAs(
                        aState().up("a", "b").unreachable("a", "b").build()))
                .isFalse();
        assertThat(state.sameContentAs(aState().up("a", "b").removed("c").build()))
                .isFalse();
    }

    @Test
    void equalityIncludesVersionAndSeen() {
        ClusterState state = aState().up("a").version("a", 1).seenBy("a").build();

        assertThat(state)
                .isEqualTo(aState().up("a").version("a", 1).seenBy("a").build())
                .hasSameHashCodeAs(aState().up("a").version("a", 1).seenBy("a").build())
                .isNotEqualTo(aState().up("a").version("a", 2).seenBy("a").build())
                .isNotEqualTo(aState().up("a").version("a", 1).build())
                .isNotEqualTo(aState().down("a").version("a", 1).seenBy("a").build())
                .isNotEqualTo("state");
        assertThat(state.hashCode()).isNotEqualTo(ClusterState.EMPTY.hashCode());
    }

    @Test
    void readsAsVersionMembersAndEyes() {
        String a = A.clockKey().substring(0, 6);

        assertThat(aState().up("a").version("a", 4).seenBy("a").build())
                .hasToString("version [" + a + ":4], [a:2552#1 Up], seen by 1");
        assertThat(aState().up("a", "b").removed("c").unreachable("a", "b").build())
                .hasToString("version [], [a:2552#1 Up, b:2552#2 Up], seen by 0, removed [c:2552#3], "
                        + "a:2552#1 -> b:2552#2 Unreachable");
        assertThat(member("a", DOWN)).hasToString("a:2552#1 Down");
    }
}

package dev.muster.core.state;

import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.up;
import static dev.muster.core.StateBuilder.aState;
import static dev.muster.core.state.MemberStatus.LEAVING;
import static dev.muster.core.state.StateMerge.Outcome.KEPT_MINE;
import static dev.muster.core.state.StateMerge.Outcome.MERGED;
import static dev.muster.core.state.StateMerge.Outcome.SAME;
import static dev.muster.core.state.StateMerge.Outcome.TOOK_THEIRS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StateMergeTest {
    private static final NodeId A = node("a");
    private static final NodeId B = node("b");
    private static final NodeId C = node("c");

    @Test
    void ofEqualVersionsOnlyTheEyesAreUnited() {
        ClusterState mine =
                aState().up("a", "b", "c").version("a", 1).seenBy("a").build();
        ClusterState theirs =
                aState().up("a", "b", "c").version("a", 1).seenBy("b").build();

        StateMerge.Result result = StateMerge.merge(mine, theirs, A);

        assertThat(result.outcome()).isEqualTo(SAME);
        assertThat(result.state())
                .isEqualTo(aState().up("a", "b", "c")
                        .version("a", 1)
                        .seenBy("a", "b")
                        .build());
    }

    @Test
    void whoMergesHasSeenTheResult() {
        ClusterState unseen = aState().up("a", "b").version("a", 1).build();

        assertThat(StateMerge.merge(unseen, unseen, A).state().seen()).isEqualTo(SeenSet.only(0));
    }

    @Test
    void aStateThatHasEverythingOfMineIsTakenOverWithItsEyesPlusMine() {
        ClusterState mine =
                aState().up("a").joining("b").version("a", 1).seenBy("a").build();
        ClusterState theirs = aState().up("a", "b")
                .joining("c")
                .version("a", 1)
                .version("b", 1)
                .seenBy("b")
                .build();

        StateMerge.Result result = StateMerge.merge(mine, theirs, A);

        assertThat(result.outcome()).isEqualTo(TOOK_THEIRS);
        assertThat(result.state()).isEqualTo(theirs.seenBy(A));
    }

    @Test
    void aStateThatHasNothingNewIsNotTaken() {
        ClusterState mine = aState().up("a", "b")
                .version("a", 2)
                .version("b", 1)
                .seenBy("a")
                .build();
        ClusterState theirs =
                aState().up("a").joining("b").version("a", 1).seenByAll().build();

        StateMerge.Result result = StateMerge.merge(mine, theirs, A);

        assertThat(result.outcome()).isEqualTo(KEPT_MINE);
        assertThat(result.state()).isSameAs(mine);
    }

    @Test
    void concurrentChangesAreBothKeptUnderTheJointVersion() {
        ClusterState mine = aState().up("a", "b")
                .joining("c")
                .version("a", 2)
                .version("b", 1)
                .seenByAll()
                .build();
        ClusterState theirs = aState().up("a", "b")
                .down("d")
                .version("a", 1)
                .version("b", 2)
                .seenByAll()
                .build();

        StateMerge.Result result = StateMerge.merge(mine, theirs, A);

        assertThat(result.outcome()).isEqualTo(MERGED);
        assertThat(result.state())
                .isEqualTo(aState().up("a", "b")
                        .joining("c")
                        .down("d")
                        .version("a", 2)
                        .version("b", 2)
                        .seenBy("a")
                        .build());
    }

    @Test
    void contentIsMergedEvenWhenTheClockSaysThatTheOtherIsNewer() {
        ClusterState mine =
                aState().up("a").with(LEAVING, "b").version("a", 1).seenByAll().build();
        ClusterState theirs = aState().up("a", "b")
                .version("a", 1)
                .version("b", 1)
                .seenByAll()
                .build();

        StateMerge.Result result = StateMerge.merge(mine, theirs, A);

        assertThat(result.outcome()).isEqualTo(MERGED);
        assertThat(result.state().members().statusOf(B)).isEqualTo(LEAVING);
    }

    @Test
    void whereTheClockWouldEqualOneSidesButTheContentNotTheMergerCountsUpItsOwnEntry() {
        ClusterState mine =
                aState().up("a").with(LEAVING, "b").version("a", 1).seenByAll().build();
        ClusterState newer = aState().up("a", "b")
                .version("a", 1)
                .version("b", 1)
                .seenByAll()
                .build();

        ClusterState fromBelow = StateMerge.merge(mine, newer, A).state();
        assertThat(fromBelow.version())
                .isEqualTo(aState().version("a", 2).version("b", 1).build().version());
        assertThat(fromBelow.seen()).isEqualTo(SeenSet.only(0));

        ClusterState fromAbove = StateMerge.merge(newer, mine, B).state();
        assertThat(fromAbove.version())
                .isEqualTo(aState().version("a", 1).version("b", 2).build().version());
        assertThat(fromAbove.seen()).isEqualTo(SeenSet.only(1));
    }

    @Test
    void equalVersionsWithDifferentContentAreAmbiguousToo() {
        ClusterState mine =
                aState().up("a").down("b").version("a", 1).seenByAll().build();
        ClusterState theirs =
                aState().up("a", "b").joining("c").version("a", 1).seenByAll().build();

        StateMerge.Result result = StateMerge.merge(mine, theirs, A);

        assertThat(result.outcome()).isEqualTo(MERGED);
        assertThat(result.state())
                .isEqualTo(aState().up("a")
                        .down("b")
                        .joining("c")
                        .version("a", 2)
                        .seenBy("a")
                        .build());
    }

    @Test
    void theClockEntryOfARemovedNodeIsDroppedAndTheMergerVouchesForTheRest() {
        ClusterState mine =
                aState().up("a", "b").removed("c").version("a", 2).seenByAll().build();
        ClusterState theirs = aState().up("a", "b")
                .down("c")
                .joining("d")
                .version("a", 1)
                .version("b", 1)
                .version("c", 5)
                .seenByAll()
                .build();

        StateMerge.Result result = StateMerge.merge(mine, theirs, A);

        assertThat(result.outcome()).isEqualTo(MERGED);
        assertThat(result.state())
                .isEqualTo(aState().up("a", "b")
                        .joining("d")
                        .removed("c")
                        .version("a", 3)
                        .version("b", 1)
                        .seenBy("a")
                        .build());
    }

    @Test
    void aTombstoneAlwaysWinsOverARow() {
        ClusterState removed = aState().up("a").removed("c").version("a", 1).build();
        ClusterState newerRow = aState().up("a", "c").version("a", 2).build();

        ClusterState joined = StateMerge.join(removed, newerRow);

        assertThat(joined.members().has(C)).isFalse();
        assertThat(joined.tombstones().ids()).containsExactly(C);
        assertThat(StateMerge.join(newerRow, removed)).isEqualTo(joined);
    }

    @Test
    void aStrictlyNewerStateMayLetGoOfTombstones() {
        ClusterState older = aState().up("a", "b")
                .removed("c", "d")
                .version("a", 1)
                .seenBy("a")
                .build();
        ClusterState newer = older.seenBy(B).withoutTombstones(B, List.of(C));

        assertThat(StateMerge.join(older, newer).tombstones().ids()).containsExactly(node("d"));
        assertThat(StateMerge.join(newer, older).tombstones().ids()).containsExactly(node("d"));
        assertThat(StateMerge.merge(older, newer, A)).isEqualTo(new StateMerge.Result(newer.seenBy(A), TOOK_THEIRS));
    }

    @Test
    void concurrentStatesKeepTheTombstonesOfBoth() {
        ClusterState one = aState().up("a", "b")
                .removed("c")
                .version("a", 2)
                .version("b", 1)
                .build();
        ClusterState other = aState().up("a", "b")
                .removed("d")
                .version("a", 1)
                .version("b", 2)
                .build();

        assertThat(StateMerge.join(one, other).tombstones().ids()).containsExactly(C, node("d"));
    }

    @Test
    void equalVersionsKeepTheTombstonesOfBoth() {
        ClusterState one = aState().up("a", "b").removed("c").version("a", 1).build();
        ClusterState other = aState().up("a", "b").removed("d").version("a", 1).build();

        assertThat(StateMerge.join(one, other).tombstones().ids()).containsExactly(C, node("d"));
    }

    @Test
    void wordsOfAndOnTheRemovedAreNotMergedIn() {
        ClusterState one = aState().up("a", "b").removed("c").version("a", 2).build();
        ClusterState other = aState().up("a", "b", "c")
                .unreachable("a", "c")
                .unreachable("c", "a")
                .unreachable("b", "a")
                .version("a", 1)
                .version("b", 1)
                .build();

        Reachability joined = StateMerge.join(one, other).reachability();

        assertThat(joined.rows()).hasSize(2);
        assertThat(joined.rowOf(C)).isEmpty();
        assertThat(joined.accusations(id -> true)).containsOnlyKeys(A);
        assertThat(joined.versionOf(A)).isEqualTo(1);
    }

    @Test
    void theUpNumberSurvivesAConcurrentLeave() {
        ClusterState one =
                aState().with(up("a", 1)).with(up("b", 2)).version("a", 2).build();
        ClusterState other = aState().with(up("a", 1))
                .with(Member.joining(B, List.of(), "0.0.0").withStatus(LEAVING))
                .version("a", 1)
                .version("b", 1)
                .build();

        Member joined = StateMerge.join(one, other).members().get(1);

        assertThat(joined.status()).isEqualTo(LEAVING);
        assertThat(joined.upNumber()).isEqualTo(2);
    }

    @Test
    void aJoinIsSeenByNobody() {
        ClusterState one = aState().up("a").version("a", 1).seenByAll().build();

        assertThat(StateMerge.join(one, one).seen()).isEqualTo(SeenSet.NOBODY);
    }
}

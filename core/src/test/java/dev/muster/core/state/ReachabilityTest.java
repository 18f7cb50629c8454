package dev.muster.core.state;

import static dev.muster.core.Nodes.node;
import static dev.muster.core.Nodes.up;
import static dev.muster.core.state.ReachabilityStatus.REACHABLE;
import static dev.muster.core.state.ReachabilityStatus.TERMINATED;
import static dev.muster.core.state.ReachabilityStatus.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.muster.core.state.ReachabilityRow.Observation;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ReachabilityTest {
    private static final NodeId A = node("a");
    private static final NodeId B = node("b");
    private static final NodeId C = node("c");
    private static final NodeId D = node("d");
    private static final Reachability CALM = Reachability.ALL_REACHABLE;

    @Test
    void everyChangeRaisesTheRowsVersionByOneAndStampsTheRecord() {
        Reachability words = CALM.marked(A, C, UNREACHABLE);
        assertThat(words.rows()).containsExactly(row(A, 1, seen(C, UNREACHABLE, 1)));

        words = words.marked(A, B, UNREACHABLE);
        assertThat(words.rows()).containsExactly(row(A, 2, seen(B, UNREACHABLE, 2), seen(C, UNREACHABLE, 1)));

        words = words.marked(A, D, TERMINATED);
        assertThat(words.rows())
                .containsExactly(row(A, 3, seen(B, UNREACHABLE, 2), seen(C, UNREACHABLE, 1), seen(D, TERMINATED, 3)));

        words = words.marked(A, C, REACHABLE);
        assertThat(words.rows()).containsExactly(row(A, 4, seen(B, UNREACHABLE, 2), seen(D, TERMINATED, 3)));
        assertThat(words.versionOf(A)).isEqualTo(4);
        assertThat(words.versionOf(B)).isZero();
    }

    @Test
    void aRowWithoutRecordsKeepsItsVersion() {
        Reachability words = CALM.marked(A, C, UNREACHABLE).marked(A, C, REACHABLE);

        assertThat(words.rows()).containsExactly(row(A, 2));
        assertThat(words.isAllReachable()).isTrue();
        assertThat(words.marked(A, C, UNREACHABLE).versionOf(A)).isEqualTo(3);
    }

    @Test
    void sayingTheSameAgainIsNoChange() {
        Reachability words = CALM.marked(A, C, UNREACHABLE);

        assertThat(words.marked(A, C, UNREACHABLE)).isSameAs(words);
        assertThat(CALM.marked(A, C, REACHABLE)).isSameAs(CALM);
    }

    @Test
    void terminatedIsFinal() {
        Reachability words = CALM.marked(A, C, UNREACHABLE).marked(A, C, TERMINATED);

        assertThat(words.rows()).containsExactly(row(A, 2, seen(C, TERMINATED, 2)));
        assertThat(words.marked(A, C, REACHABLE)).isSameAs(words);
        assertThat(words.marked(A, C, UNREACHABLE)).isSameAs(words);
    }

    @Test
    void observersWriteTheirOwnRowsOnly() {
        Reachability words = CALM.marked(B, C, UNREACHABLE).marked(A, C, TERMINATED);

        assertThat(words.rows()).containsExactly(row(A, 1, seen(C, TERMINATED, 1)), row(B, 1, seen(C, UNREACHABLE, 1)));
        assertThat(words.rowOf(A)).contains(row(A, 1, seen(C, TERMINATED, 1)));
        assertThat(words.rowOf(C)).isEmpty();
        assertThat(words.statusOf(A, C)).isEqualTo(TERMINATED);
        assertThat(words.statusOf(B, C)).isEqualTo(UNREACHABLE);
        assertThat(words.statusOf(B, A)).isEqualTo(REACHABLE);
        assertThat(words.statusOf(C, A)).isEqualTo(REACHABLE);
    }

    @Test
    void theStrongestWordOfThoseWhoCountHolds() {
        Reachability words =
                CALM.marked(A, D, UNREACHABLE).marked(B, D, TERMINATED).marked(C, D, UNREACHABLE);

        assertThat(words.aggregate(D, id -> true)).isEqualTo(TERMINATED);
        assertThat(words.aggregate(D, id -> !id.equals(B))).isEqualTo(UNREACHABLE);
        assertThat(words.aggregate(D, id -> false)).isEqualTo(REACHABLE);
        assertThat(words.aggregate(A, id -> true)).isEqualTo(REACHABLE);
    }

    @Test
    void accusationsNameWhoAccusesWhom() {
        Reachability words = CALM.marked(A, D, UNREACHABLE)
                .marked(B, D, TERMINATED)
                .marked(B, C, UNREACHABLE)
                .marked(C, A, UNREACHABLE)
                .marked(C, A, REACHABLE);

        assertThat(words.accusations(id -> true))
                .hasSize(2)
                .containsEntry(D, treeSet(A, B))
                .containsEntry(C, treeSet(B));
        assertThat(words.accusations(id -> id.equals(A))).hasSize(1).containsEntry(D, treeSet(A));
    }

    @Test
    void aRecordThatSaysReachableAccusesNobody() {
        Reachability words = Reachability.of(List.of(row(A, 1, seen(B, REACHABLE, 1))));

        assertThat(words.accusations(id -> true)).isEmpty();
        assertThat(words.isAllReachable()).isFalse();
    }

    @Test
    void wordsOfAndOnThoseWhoAreGoneGoWithThem() {
        Reachability words = CALM.marked(A, C, UNREACHABLE)
                .marked(A, D, UNREACHABLE)
                .marked(B, A, UNREACHABLE)
                .marked(D, A, UNREACHABLE);

        Reachability kept = words.keeping(members("a", "b", "c"));
        assertThat(kept.rows()).containsExactly(row(A, 2, seen(C, UNREACHABLE, 1)), row(B, 1, seen(A, UNREACHABLE, 1)));
        assertThat(kept.keeping(members("a", "b", "c"))).isSameAs(kept);
        assertThat(words.keeping(Members.NONE)).isSameAs(CALM);
        assertThat(words.keeping(members("b", "c")).rows()).containsExactly(row(B, 1));
    }

    @Test
    void ofTwoRowsTheOneWithTheHigherVersionIsTakenWhole() {
        Reachability older = CALM.marked(A, B, UNREACHABLE).marked(A, C, UNREACHABLE);
        Reachability newer = older.marked(A, B, REACHABLE);
        Reachability other = CALM.marked(B, D, UNREACHABLE).marked(C, D, UNREACHABLE);

        assertThat(older.join(newer)).isSameAs(newer);
        assertThat(newer.join(older)).isSameAs(newer);
        Reachability joined = newer.join(other);
        assertThat(joined.rows())
                .containsExactly(
                        row(A, 3, seen(C, UNREACHABLE, 2)),
                        row(B, 1, seen(D, UNREACHABLE, 1)),
                        row(C, 1, seen(D, UNREACHABLE, 1)));
        assertThat(other.join(newer)).isEqualTo(joined);
        assertThat(joined.join(older)).isSameAs(joined);
        assertThat(older.join(joined)).isSameAs(joined);
    }

    @Test
    void ofTwoRowsOfOneVersionTheOneWithFewerRecordsKnowsOfARemoval() {
        Reachability before = CALM.marked(A, B, UNREACHABLE).marked(A, C, UNREACHABLE);
        Reachability after = before.keeping(members("a", "b"));

        assertThat(before.join(after)).isSameAs(after);
        assertThat(after.join(before)).isSameAs(after);
    }

    @Test
    void joiningWithNothingChangesNothing() {
        Reachability words = CALM.marked(A, B, UNREACHABLE);

        assertThat(words.join(CALM)).isSameAs(words);
        assertThat(CALM.join(words)).isSameAs(words);
        assertThat(words.join(words)).isSameAs(words);
        assertThat(words.join(CALM.marked(A, B, UNREACHABLE))).isSameAs(words);
    }

    @Test
    void rowsFromADecoderAreSortedAndUnique() {
        assertThat(Reachability.of(List.of(row(B, 1), row(A, 1))).rows()).containsExactly(row(A, 1), row(B, 1));
        assertThat(Reachability.of(List.of())).isSameAs(CALM);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reachability.of(List.of(row(A, 1), row(B, 1), row(A, 2))))
                .withMessage("two reachability rows of a:2552#1");
    }

    @Test
    void refusesRowsThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> row(A, 0))
                .withMessage("reachability row of a:2552#1 must have a positive version, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> row(A, 2, seen(C, UNREACHABLE, 1), seen(B, UNREACHABLE, 2)))
                .withMessage("reachability row of a:2552#1 is not sorted by subject");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> row(A, 2, seen(C, UNREACHABLE, 1), seen(C, UNREACHABLE, 2)))
                .withMessage("reachability row of a:2552#1 is not sorted by subject");
        assertThatNullPointerException().isThrownBy(() -> row(null, 1)).withMessage("observer");
        assertThatNullPointerException()
                .isThrownBy(() -> seen(null, UNREACHABLE, 1))
                .withMessage("subject");
        assertThatNullPointerException().isThrownBy(() -> seen(A, null, 1)).withMessage("status");
    }

    @Test
    void readsAsWhoSaysWhatOfWhom() {
        Reachability words = CALM.marked(A, C, UNREACHABLE).marked(B, C, TERMINATED);

        assertThat(words).hasToString("a:2552#1 -> c:2552#3 Unreachable, b:2552#2 -> c:2552#3 Terminated");
        assertThat(CALM).hasToString("");
        assertThat(REACHABLE.displayName()).isEqualTo("Reachable");
    }

    @Test
    void isEqualByItsRows() {
        Reachability words = CALM.marked(A, C, UNREACHABLE);

        assertThat(words)
                .isEqualTo(CALM.marked(A, C, UNREACHABLE))
                .hasSameHashCodeAs(CALM.marked(A, C, UNREACHABLE))
                .isNotEqualTo(CALM.marked(B, C, UNREACHABLE))
                .isNotEqualTo("words");
        assertThat(words.hashCode()).isNotEqualTo(CALM.hashCode());
    }

    private static ReachabilityRow row(NodeId observer, long version, Observation... records) {
        return new ReachabilityRow(observer, version, List.of(records));
    }

    private static Observation seen(NodeId subject, ReachabilityStatus status, long version) {
        return new Observation(subject, status, version);
    }

    private static SortedSet<NodeId> treeSet(NodeId... ids) {
        return new TreeSet<>(List.of(ids));
    }

    private static Members members(String... hosts) {
        return Members.of(Arrays.stream(hosts).map(h -> up(h, 1)).toList());
    }
}

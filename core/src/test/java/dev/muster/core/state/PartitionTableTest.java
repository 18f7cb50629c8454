package dev.muster.core.state;

import static dev.muster.core.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PartitionTableTest {
    private static final NodeId A = node("a");
    private static final NodeId B = node("b");
    private static final PartitionSpec SPEC = new PartitionSpec(2, "", HandoffPolicy.stateless());

    private static PartitionEntry row(String path, long epoch, NodeId writer, NodeId... instances) {
        return new PartitionEntry(new PartitionPath(path), epoch, writer, SPEC, List.of(instances), false);
    }

    private static PartitionEntry deleted(String path, long epoch) {
        return new PartitionEntry(new PartitionPath(path), epoch, A, SPEC, List.of(), true);
    }

    private static PartitionTable table(PartitionEntry... rows) {
        return PartitionTable.EMPTY.merge(List.of(rows));
    }

    @Test
    void aHigherEpochCounts() {
        PartitionTable table = table(row("x", 1, B, A), row("x", 2, A, B));
        assertThat(table.find(new PartitionPath("x")).orElseThrow().instances()).containsExactly(B);
        assertThat(table.merge(List.of(row("x", 1, B, A)))).isSameAs(table);
        assertThat(table.revision()).isEqualTo(2);
    }

    @Test
    void whatIsNewIsFoundInOneWalk() {
        PartitionTable before = table(row("b", 1, A, A), row("d", 1, A, A), row("e", 1, A, A));
        PartitionEntry first = row("a", 2, A, A);
        PartitionEntry changed = row("d", 2, A, B);
        PartitionEntry last = row("f", 2, A, A);
        assertThat(before.merge(List.of(last, changed, first)).newSince(before)).containsExactly(first, changed, last);
        assertThat(before.newSince(before)).isEmpty();
        assertThat(before.newSince(PartitionTable.EMPTY)).hasSize(3);
    }

    @Test
    void ofTwoLeadersTheHigherCounts() {
        assertThat(table(row("x", 1, A, A), row("x", 1, B, B)))
                .isEqualTo(table(row("x", 1, B, B), row("x", 1, A, A)))
                .isEqualTo(table(row("x", 1, B, B)));
    }

    @Test
    void shouldALeaderUseAnEpochTwiceAllStillChooseAlike() {
        assertThat(table(row("x", 1, A, A), row("x", 1, A, B))).isEqualTo(table(row("x", 1, A, B), row("x", 1, A, A)));
    }

    @Test
    void whatIsDeletedDoesNotComeBack() {
        PartitionTable table = table(row("x", 1, A, A), deleted("x", 2), row("x", 1, A, A));
        assertThat(table.find(new PartitionPath("x"))).isEmpty();
        assertThat(table.row(new PartitionPath("x")).isDeleted()).isTrue();
        assertThat(table.row(new PartitionPath("y"))).isNull();
        assertThat(table.size()).isEqualTo(1);
        assertThat(table.isEmpty()).isFalse();
    }

    @Test
    void partitionsDoNotNest() {
        PartitionTable table = table(row("a/b", 1, A), deleted("c", 1));
        assertThat(table.overlapping(new PartitionPath("a"))).contains(new PartitionPath("a/b"));
        assertThat(table.overlapping(new PartitionPath("a/b/c"))).contains(new PartitionPath("a/b"));
        assertThat(table.overlapping(new PartitionPath("a/b"))).isEmpty();
        assertThat(table.overlapping(new PartitionPath("a/bc"))).isEmpty();
        assertThat(table.overlapping(new PartitionPath("c/d"))).isEmpty();
        assertThat(table(row("a", 2, A), deleted("a/b", 1)).overlapping(new PartitionPath("a/x")))
                .contains(new PartitionPath("a"));
        assertThat(table(deleted("a/b", 1), row("a/c", 1, A), row("a/d", 1, A)).overlapping(new PartitionPath("a")))
                .containsExactly(new PartitionPath("a/c"), new PartitionPath("a/d"));
    }

    /** In whatever order the same rows come, and however often: the same table, with the same digest and parts. */
    @Test
    void theOrderOfNewsDoesNotMatter() {
        Random random = new Random(7);
        for (int round = 0; round < 300; round++) {
            List<PartitionEntry> rows = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                String path = "p" + random.nextInt(5);
                long epoch = 1L + random.nextInt(3);
                rows.add(
                        random.nextInt(6) == 0
                                ? deleted(path, epoch)
                                : row(path, epoch, random.nextBoolean() ? A : B, random.nextBoolean() ? A : B));
            }
            PartitionTable one = PartitionTable.EMPTY.merge(rows);
            Collections.shuffle(rows, random);
            PartitionTable half = PartitionTable.EMPTY.merge(rows.subList(0, 6));
            PartitionTable rest = PartitionTable.EMPTY.merge(rows.subList(4, 12));
            PartitionTable other = rest.merge(half).merge(rest).merge(half);
            assertThat(other).isEqualTo(one).hasSameHashCodeAs(one);
            assertThat(other.digest()).isEqualTo(one.digest());
            assertThat(other.buckets()).isEqualTo(one.buckets());
            assertThat(one.differing(other.buckets())).isEmpty();
        }
    }

    @Test
    void theDigestTellsTablesApart() {
        PartitionTable one = table(row("x", 1, A, A), row("y", 1, A, A));
        for (PartitionTable other : List.of(
                PartitionTable.EMPTY,
                table(row("x", 1, A, A)),
                table(row("x", 1, A, A), row("y", 2, A, A)),
                table(row("x", 1, A, A), row("y", 1, B, A)),
                table(row("x", 1, A, A), row("y", 1, A, B)))) {
            assertThat(other.digest()).isNotEqualTo(one.digest());
            assertThat(other).isNotEqualTo(one).isNotEqualTo("a table");
        }
        assertThat(TableDigest.NONE).isEqualTo(PartitionTable.EMPTY.digest()).isLessThan(new TableDigest(0, 1));
        assertThat(new TableDigest(1, 0)).isGreaterThan(new TableDigest(0, 7)).hasToString("0000000000000001");
    }

    @Test
    void onlyTheDifferentPartsAreShown() {
        List<PartitionEntry> many = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            many.add(row("p" + i, 1, A, A));
        }
        PartitionTable one = PartitionTable.EMPTY.merge(many);
        PartitionTable other = one.merge(List.of(row("p17", 2, A, B)));
        assertThat(other.differing(one.buckets())).contains(row("p17", 2, A, B)).hasSizeLessThan(40);
        assertThat(one.differing(other.buckets())).contains(row("p17", 1, A, A));
    }

    @Test
    void aRowThatCannotBeIsRefused() {
        assertThatThrownBy(() -> row("x", 0, A)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> row("x", Long.MAX_VALUE, A)).hasMessageContaining("epochs of x are from 1 to");
        assertThatThrownBy(() -> row("x", 1, A, B, B)).hasMessageContaining("two instances on one node");
        assertThatThrownBy(() -> new PartitionEntry(new PartitionPath("x"), 1, A, SPEC, List.of(A), true))
                .hasMessageContaining("is deleted but has instances");
        assertThatThrownBy(() -> new PartitionSpec(0, "", HandoffPolicy.stateless()))
                .hasMessage("a partition has 1 to 1000 instances, not 0");
        assertThatThrownBy(() -> new PartitionSpec(1_001, "", HandoffPolicy.stateless()))
                .hasMessageContaining("not 1001");
    }

    @Test
    void aRowReadsAsASentence() {
        assertThat(row("x", 3, A, B)).hasToString("x epoch 3 by " + A + " on [" + B + "], wanted 2, 2a 3a 4a");
        assertThat(new PartitionEntry(
                        new PartitionPath("x"),
                        3,
                        A,
                        new PartitionSpec(1, "r", HandoffPolicy.singleton()),
                        List.of(),
                        true))
                .hasToString("x epoch 3 by " + A + " deleted, wanted 1 of r, 2b 3b 4a");
        assertThat(table(row("x", 3, A, B))).hasToString("1 partitions at revision 3");
        assertThat(HandoffPolicy.ordered()).hasToString("2a 3b 4a");
        assertThat(HandoffPolicy.disposable()).hasToString("2c 3a 4b");
    }
}

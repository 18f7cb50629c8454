package dev.muster.core.state;

import static dev.muster.core.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TombstonesTest {
    private static final NodeId A = node("a");
    private static final NodeId B = node("b");
    private static final NodeId C = node("c");

    @Test
    void rememberWhoWasRemovedAndWhen() {
        Tombstones stones = Tombstones.NONE.with(B, 20).with(A, 10);

        assertThat(stones.ids()).containsExactly(A, B);
        assertThat(stones.size()).isEqualTo(2);
        assertThat(stones.isEmpty()).isFalse();
        assertThat(stones.has(A)).isTrue();
        assertThat(stones.has(B)).isTrue();
        assertThat(stones.has(C)).isFalse();
        assertThat(stones.stampMillisOf(A)).isEqualTo(10);
        assertThat(stones.stampMillisOf(B)).isEqualTo(20);
        assertThat(stones.stampMillisOf(C)).isZero();
        assertThat(stones).hasToString("[a:2552#1, b:2552#2]");
    }

    @Test
    void noneHoldsNobody() {
        assertThat(Tombstones.NONE.isEmpty()).isTrue();
        assertThat(Tombstones.NONE.has(A)).isFalse();
        assertThat(Tombstones.NONE.stampMillisOf(A)).isZero();
        assertThat(Tombstones.of(new TreeMap<>())).isSameAs(Tombstones.NONE);
    }

    @Test
    void theLaterStampStays() {
        assertThat(Tombstones.NONE.with(A, 10).with(A, 5).stampMillisOf(A)).isEqualTo(10);
        assertThat(Tombstones.NONE.with(A, 10).with(A, 15).stampMillisOf(A)).isEqualTo(15);
    }

    @Test
    void someCanBeLetGo() {
        Tombstones stones = of(Map.of(A, 1L, B, 2L, C, 3L));

        assertThat(stones.without(List.of(A, C))).isEqualTo(of(Map.of(B, 2L)));
        assertThat(stones.without(List.of(A, B, C))).isSameAs(Tombstones.NONE);
    }

    @Test
    void unionKeepsAllOfBothSidesWithTheLaterStamp() {
        Tombstones mine = of(Map.of(A, 1L, B, 9L));
        Tombstones theirs = of(Map.of(B, 2L, C, 3L));

        assertThat(mine.union(theirs)).isEqualTo(of(Map.of(A, 1L, B, 9L, C, 3L)));
        assertThat(theirs.union(mine)).isEqualTo(of(Map.of(A, 1L, B, 9L, C, 3L)));
    }

    @Test
    void unionIsOneOfTheSidesWhenThatHasAll() {
        Tombstones more = of(Map.of(A, 1L, B, 9L));
        Tombstones less = of(Map.of(A, 1L));

        assertThat(more.union(less)).isSameAs(more);
        assertThat(less.union(more)).isSameAs(more);
        assertThat(more.union(more)).isSameAs(more);
        assertThat(more.union(of(Map.of(A, 1L, B, 9L)))).isSameAs(more);
        assertThat(more.union(Tombstones.NONE)).isSameAs(more);
        assertThat(Tombstones.NONE.union(more)).isSameAs(more);
    }

    @Test
    void areEqualByIdsAndStamps() {
        Tombstones stones = of(Map.of(A, 1L));

        assertThat(stones)
                .isEqualTo(of(Map.of(A, 1L)))
                .hasSameHashCodeAs(of(Map.of(A, 1L)))
                .isNotEqualTo(of(Map.of(A, 2L)))
                .isNotEqualTo(of(Map.of(B, 1L)))
                .isNotEqualTo("stones");
        assertThat(stones.hashCode())
                .isEqualTo(Arrays.hashCode(new Object[] {A}) * 31 + Arrays.hashCode(new long[] {1}));
    }

    private static Tombstones of(Map<NodeId, Long> stamps) {
        return Tombstones.of(new TreeMap<>(stamps));
    }
}

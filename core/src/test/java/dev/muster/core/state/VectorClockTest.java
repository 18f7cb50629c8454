package dev.muster.core.state;

import static dev.muster.core.state.VectorClock.Relation.AFTER;
import static dev.muster.core.state.VectorClock.Relation.BEFORE;
import static dev.muster.core.state.VectorClock.Relation.CONCURRENT;
import static dev.muster.core.state.VectorClock.Relation.SAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.quicktheories.core.Gen;

class VectorClockTest {

    @ParameterizedTest
    @CsvSource({
        "'',        '',        SAME",
        "a1,        a1,        SAME",
        "a1 b2,     b2 a1,     SAME",
        "'',        a1,        BEFORE",
        "a1,        a2,        BEFORE",
        "a1,        a1 b1,     BEFORE",
        "b1,        a1 b1,     BEFORE",
        "a1 c1,     a1 b1 c1,  BEFORE",
        "a9,        a1,        AFTER",
        "a1 b1,     a1,        AFTER",
        "a1 b1,     b1,        AFTER",
        "a1,        b1,        CONCURRENT",
        "a2 b1,     a1 b2,     CONCURRENT",
        "a1 b9,     a2,        CONCURRENT", // whoever alone has a key is newer in it, whatever the count
        "a9 b1,     a1 c1,     CONCURRENT",
        "b1 c1,     a1 c1,     CONCURRENT",
    })
    void comparesEntryByEntry(String one, String other, VectorClock.Relation relation) {
        assertThat(clock(one).relationTo(clock(other))).isEqualTo(relation);
        assertThat(clock(other).relationTo(clock(one))).isEqualTo(opposite(relation));
        VectorClock clock = clock(one);
        assertThat(clock.relationTo(clock)).isEqualTo(SAME);
    }

    private static VectorClock.Relation opposite(VectorClock.Relation relation) {
        return relation == BEFORE ? AFTER : relation == AFTER ? BEFORE : relation;
    }

    @ParameterizedTest
    @CsvSource({
        "'',           '',           ''",
        "a1,           '',           a1",
        "a1,           b1,           a1 b1",
        "a2 b1,        a1 b2,        a2 b2",
        "a1 c1,        b1 d1,        a1 b1 c1 d1",
        "b3 c1 d1,     a1 b2 d2,     a1 b3 c1 d2",
    })
    void mergeTakesTheHigherCountOfEveryKey(String one, String other, String merged) {
        assertThat(clock(one).merge(clock(other))).isEqualTo(clock(merged));
        assertThat(clock(other).merge(clock(one))).isEqualTo(clock(merged));
    }

    @ParameterizedTest
    @CsvSource({
        "'',        '',        0",
        "'',        a9,        0",
        "a4,        '',        4",
        "a4,        a1,        3",
        "a1,        a4,        0",
        "a4,        a4,        0",
        "b4,        a1,        4",
        "a4,        b1,        4",
        "a2 b9,     a1 b9,     1",
        "a9 b3,     a9 b1,     2",
        "a1 c7,     a1 b1 d1,  7",
        "a1 c7,     a1 b1 c5,  2",
        "a5 b1 c2,  b9 c1,     5",
        "b3 d3,     a9 c9 d1,  3",
    })
    void tellsHowFarItsFurthestEntryIsAhead(String one, String other, long lead) {
        assertThat(clock(one).greatestLeadOver(clock(other))).isEqualTo(lead);
    }

    @Test
    void mergeIsOneOfTheSidesWhenThatHasEverything() {
        VectorClock low = clock("a1");
        VectorClock high = clock("a1 b1");

        assertThat(low.merge(high)).isSameAs(high);
        assertThat(high.merge(low)).isSameAs(high);
        assertThat(high.merge(clock("a1 b1"))).isSameAs(high);
    }

    @Test
    void incrementCountsUpOneKeyAndKeepsOrder() {
        assertThat(clock("b2 d1").increment("b")).isEqualTo(clock("b3 d1"));
        assertThat(clock("b2 d1").increment("a")).isEqualTo(clock("a1 b2 d1"));
        assertThat(clock("b2 d1").increment("c")).isEqualTo(clock("b2 c1 d1"));
        assertThat(clock("b2 d1").increment("e")).isEqualTo(clock("b2 d1 e1"));
        VectorClock before = clock("a1");
        before.increment("a");
        assertThat(before).isEqualTo(clock("a1"));
    }

    @Test
    void pruningDropsOneEntry() {
        assertThat(clock("a1 b2 c3").without("a")).isEqualTo(clock("b2 c3"));
        assertThat(clock("a1 b2 c3").without("b")).isEqualTo(clock("a1 c3"));
        assertThat(clock("a1 b2 c3").without("c")).isEqualTo(clock("a1 b2"));
        assertThat(clock("a1").without("a")).isEqualTo(VectorClock.EMPTY);
        VectorClock clock = clock("a1");
        assertThat(clock.without("b")).isSameAs(clock);
    }

    @Test
    void entriesCanBeRead() {
        VectorClock clock = clock("b2 a1");

        assertThat(clock.size()).isEqualTo(2);
        assertThat(clock.key(0)).isEqualTo("a");
        assertThat(clock.counter(1)).isEqualTo(2);
        assertThat(clock.counterOf("b")).isEqualTo(2);
        assertThat(clock.counterOf("c")).isZero();
        assertThat(clock.contains("a")).isTrue();
        assertThat(clock.contains("c")).isFalse();
    }

    @Test
    void refusesEntriesThatCannotBe() {
        assertThatIllegalArgumentException().isThrownBy(() -> clock("a1 a2")).withMessage("vector clock names a twice");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock("a0"))
                .withMessageContaining("counter of a must be positive, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VectorClock.of(new String[] {"a"}, new long[] {Long.MAX_VALUE})
                        .increment("a"))
                .withMessageContaining("must be positive, was " + Long.MIN_VALUE);
    }

    @Test
    void equalityIsByKeysAndCounts() {
        assertThat(clock("a1 b2"))
                .isEqualTo(clock("b2 a1"))
                .hasSameHashCodeAs(clock("b2 a1"))
                .isNotEqualTo(clock("a1 b3"))
                .isNotEqualTo(clock("a1 c2"))
                .isNotEqualTo(clock("a1"))
                .isNotEqualTo("a1");
        assertThat(clock("a1 b2").hashCode()).isNotEqualTo(clock("a2 b1").hashCode());
    }

    @Test
    void readsAsSixLettersOfEachKeyWithItsCount() {
        assertThat(VectorClock.of(new String[] {"bcdefgh", "a"}, new long[] {12, 3}))
                .hasToString("[a:3 bcdefg:12]");
        assertThat(VectorClock.EMPTY).hasToString("[]");
    }

    @Test
    void mergeIsTheLeastUpperBound() {
        qt().withFixedSeed(4711).forAll(clocks(), clocks(), clocks()).checkAssert((a, b, c) -> {
            VectorClock merged = a.merge(b);
            assertThat(merged).isEqualTo(b.merge(a));
            assertThat(a.merge(b.merge(c))).isEqualTo(merged.merge(c));
            assertThat(a.merge(a)).isEqualTo(a);
            assertThat(merged.relationTo(a)).isIn(SAME, AFTER);
            assertThat(merged.relationTo(b)).isIn(SAME, AFTER);
            boolean isUpperBound = notBefore(c, a) && notBefore(c, b);
            assertThat(notBefore(c, merged)).isEqualTo(isUpperBound);
        });
    }

    @Test
    void relationIsTheProductOrder() {
        qt().withFixedSeed(4711).forAll(clocks(), clocks()).checkAssert((a, b) -> {
            boolean aHasMore = false;
            boolean bHasMore = false;
            for (String key : List.of("a", "b", "c", "d")) {
                aHasMore |= a.counterOf(key) > b.counterOf(key);
                bHasMore |= b.counterOf(key) > a.counterOf(key);
            }
            assertThat(a.relationTo(b)).isEqualTo(aHasMore ? bHasMore ? CONCURRENT : AFTER : bHasMore ? BEFORE : SAME);
        });
    }

    private static boolean notBefore(VectorClock a, VectorClock b) {
        return a.relationTo(b) == SAME || a.relationTo(b) == AFTER;
    }

    private static Gen<VectorClock> clocks() {
        return lists().of(integers().between(0, 2)).ofSize(4).map(counts -> {
            VectorClock clock = VectorClock.EMPTY;
            for (int i = 0; i < 4; i++) {
                for (int n = 0; n < counts.get(i); n++) {
                    clock = clock.increment(String.valueOf((char) ('a' + i)));
                }
            }
            return clock;
        });
    }

    /** "a1 b2" means a has counted to 1 and b to 2. */
    private static VectorClock clock(String text) {
        String[] entries = text.isEmpty() ? new String[0] : text.split(" ");
        String[] keys = new String[entries.length];
        long[] counters = new long[entries.length];
        for (int i = 0; i < entries.length; i++) {
            keys[i] = entries[i].substring(0, 1);
            counters[i] = Long.parseLong(entries[i].substring(1));
        }
        return VectorClock.of(keys, counters);
    }
}

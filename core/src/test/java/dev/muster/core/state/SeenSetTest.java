package dev.muster.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeenSetTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 62, 63, 64, 65, 127, 128, 5_000})
    void holdsExactlyWhatWasPutIn(int ordinal) {
        SeenSet only = SeenSet.only(ordinal);

        assertThat(only.contains(ordinal)).isTrue();
        assertThat(only.contains(ordinal + 1)).isFalse();
        assertThat(only.contains(ordinal - 1)).isFalse();
        assertThat(only.contains(ordinal + 64)).isFalse();
        assertThat(only.contains(ordinal - 64)).isFalse();
        assertThat(only.count()).isEqualTo(1);
        assertThat(only.length()).isEqualTo(ordinal + 1);
        assertThat(only.with(ordinal)).isSameAs(only);
    }

    @Test
    void nobodyIsInTheEmptySet() {
        assertThat(SeenSet.NOBODY.contains(0)).isFalse();
        assertThat(SeenSet.NOBODY.contains(-1)).isFalse();
        assertThat(SeenSet.NOBODY.count()).isZero();
        assertThat(SeenSet.NOBODY.length()).isZero();
    }

    @Test
    void addingLeavesTheOldSetAsItWas() {
        SeenSet low = SeenSet.only(3);
        SeenSet both = low.with(70);

        assertThat(low.contains(70)).isFalse();
        assertThat(both.contains(3)).isTrue();
        assertThat(both.with(4).length()).isEqualTo(71);
        assertThat(both.with(4).count()).isEqualTo(3);
    }

    @Test
    void unionIsOneOfTheSidesWhenThatHasAll() {
        SeenSet small = set(1, 66);
        SeenSet large = set(1, 2, 66);

        assertThat(large.union(small)).isSameAs(large);
        assertThat(small.union(large)).isSameAs(large);
        assertThat(small.union(small)).isSameAs(small);
        assertThat(small.union(set(1, 66))).isSameAs(small);
        assertThat(small.union(set(3))).isEqualTo(set(1, 3, 66));
        assertThat(set(3).union(small)).isEqualTo(set(1, 3, 66));
    }

    @Test
    void includesMeansNothingIsMissing() {
        assertThat(set(1, 66).includes(set(1))).isTrue();
        assertThat(set(1, 66).includes(set(66))).isTrue();
        assertThat(set(1, 66).includes(SeenSet.NOBODY)).isTrue();
        assertThat(set(1, 66).includes(set(2))).isFalse();
        assertThat(set(1, 66).includes(set(1, 67))).isFalse();
        assertThat(set(1).includes(set(1, 66))).isFalse();
        assertThat(set(64).includes(set(0))).isFalse();
    }

    @Test
    void equalSetsAreEqualHoweverTheyCameAbout() {
        assertThat(set(5, 100)).isEqualTo(set(100, 5)).hasSameHashCodeAs(set(100, 5));
        assertThat(set(5)).isNotEqualTo(set(6)).isNotEqualTo(set(5, 100)).isNotEqualTo("5");
        assertThat(set(5).hashCode()).isNotEqualTo(set(6).hashCode());
    }

    @Test
    void behavesLikeASetOfNumbers() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 300; round++) {
            BitSet a = randomBits(random);
            BitSet b = randomBits(random);
            BitSet union = (BitSet) a.clone();
            union.or(b);
            BitSet onlyInB = (BitSet) b.clone();
            onlyInB.andNot(a);

            assertThat(set(a).union(set(b))).as("round %s", round).isEqualTo(set(union));
            assertThat(set(a).includes(set(b))).isEqualTo(onlyInB.isEmpty());
            assertThat(set(a).count()).isEqualTo(a.cardinality());
            assertThat(set(a).length()).isEqualTo(a.length());
        }
    }

    private static BitSet randomBits(SplittableRandom random) {
        BitSet bits = new BitSet();
        int count = random.nextInt(6);
        for (int i = 0; i < count; i++) {
            bits.set(random.nextInt(200));
        }
        return bits;
    }

    private static SeenSet set(BitSet bits) {
        return set(bits.stream().toArray());
    }

    private static SeenSet set(int... ordinals) {
        SeenSet set = SeenSet.NOBODY;
        for (int ordinal : ordinals) {
            set = set.with(ordinal);
        }
        return set;
    }
}

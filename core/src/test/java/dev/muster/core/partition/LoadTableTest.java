package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;

import dev.muster.core.state.LoadSample;
import dev.muster.core.state.LoadSample.Mailbox;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quicktheories.core.Gen;

class LoadTableTest {

    @Test
    void keepsTheLatestSampleOfEachNode() {
        LoadTable table =
                LoadTable.EMPTY.with(sample(2, 5, 0.5)).with(sample(1, 1, 0.1)).with(sample(2, 4, 0.9));

        assertThat(table.samples()).containsExactly(sample(1, 1, 0.1), sample(2, 5, 0.5));
        assertThat(table.of(node(2))).contains(sample(2, 5, 0.5));
        assertThat(table.of(node(3))).isEmpty();
        assertThat(table.isEmpty()).isFalse();
        assertThat(table.with(sample(1, 2, 0.3)).of(node(1))).contains(sample(1, 2, 0.3));
    }

    @Test
    void isTheSameTableWhenNothingIsNew() {
        LoadTable table = LoadTable.of(List.of(sample(1, 1, 0.1), sample(2, 1, 0.1)));

        assertThat(table.merge(LoadTable.of(List.of(sample(2, 0, 0.7))))).isSameAs(table);
        assertThat(table.merge(LoadTable.EMPTY)).isSameAs(table);
        assertThat(LoadTable.of(List.of())).isSameAs(LoadTable.EMPTY);
        assertThat(LoadTable.EMPTY.isEmpty()).isTrue();
    }

    @Test
    void forgetsWhoWasRemoved() {
        LoadTable table = LoadTable.of(List.of(sample(1, 1, 0.1), sample(2, 1, 0.1)));

        assertThat(table.onlyOf(node(2)::equals)).isEqualTo(LoadTable.of(List.of(sample(2, 1, 0.1))));
        assertThat(table.onlyOf(node -> node.uid() < 3)).isSameAs(table);
    }

    @Test
    void isEqualByItsSamples() {
        LoadTable table = LoadTable.of(List.of(sample(1, 1, 0.1)));

        assertThat(table.equals(table)).isTrue();
        assertThat(table)
                .isEqualTo(LoadTable.of(List.of(sample(1, 1, 0.1))))
                .hasSameHashCodeAs(LoadTable.of(List.of(sample(1, 1, 0.1))))
                .isNotEqualTo(LoadTable.EMPTY)
                .isNotEqualTo("table")
                .hasToString("[" + sample(1, 1, 0.1) + "]");
    }

    @Test
    void mergeIsCommutative() {
        qt().withFixedSeed(4711)
                .withExamples(1000)
                .forAll(tables(), tables())
                .checkAssert((a, b) -> assertThat(a.merge(b)).isEqualTo(b.merge(a)));
    }

    @Test
    void mergeIsAssociative() {
        qt().withFixedSeed(4711)
                .withExamples(1000)
                .forAll(tables(), tables(), tables())
                .checkAssert((a, b, c) -> assertThat(a.merge(b).merge(c)).isEqualTo(a.merge(b.merge(c))));
    }

    @Test
    void mergeIsIdempotent() {
        qt().withFixedSeed(4711).withExamples(500).forAll(tables(), tables()).checkAssert((a, b) -> {
            assertThat(a.merge(a)).isSameAs(a);
            assertThat(a.merge(b).merge(b)).isEqualTo(a.merge(b));
        });
    }

    @Test
    void mergeLosesNothing() {
        qt().withFixedSeed(4711).withExamples(500).forAll(tables(), tables()).checkAssert((a, b) -> {
            for (LoadSample sample : a.samples()) {
                assertThat(a.merge(b).of(sample.node()).orElseThrow().sequence())
                        .isGreaterThanOrEqualTo(sample.sequence());
            }
        });
    }

    /** Few nodes, numbers and contents, so that two samples often have one number and different contents. */
    private static Gen<LoadTable> tables() {
        Gen<LoadSample> samples = integers()
                .between(0, 4 * 3 * 2 * 2 * 4 - 1)
                .map(i -> new LoadSample(
                        node(i % 4),
                        i / 4 % 3,
                        i / 12 % 2,
                        i / 24 % 2,
                        5,
                        List.of(
                                        List.<Mailbox>of(),
                                        List.of(mailbox("A", 2)),
                                        List.of(mailbox("B", 2)),
                                        List.of(mailbox("A", 2), mailbox("B", 1)))
                                .get(i / 48)));
        return lists().of(samples).ofSizeBetween(0, 6).map(list -> LoadTable.of(list));
    }

    private static LoadSample sample(int node, long sequence, double cpuLoad) {
        return new LoadSample(node(node), sequence, cpuLoad, 0, 0, List.of());
    }

    private static Mailbox mailbox(String path, long waiting) {
        return new Mailbox(path(path), waiting);
    }
}

package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.up;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.integers;
import static org.quicktheories.generators.SourceDSL.lists;

import dev.muster.core.partition.LoadSample.Mailbox;
import dev.muster.core.state.Members;
import dev.muster.core.state.PartitionPath;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

        assertThat(table.onlyOf(Members.of(List.of(up(2), up(3))))).isEqualTo(LoadTable.of(List.of(sample(2, 1, 0.1))));
        assertThat(table.onlyOf(Members.of(List.of(up(1), up(2))))).isSameAs(table);
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

    @Test
    void aSampleNamesTheBusiestAndAddsUpTheOthers() {
        TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
        IntStream.range(0, 20).forEach(i -> mailboxes.put(path("p/" + i), (long) i % 19));

        LoadSample sample = LoadSample.of(node(1), 7, 0.5, 0.1, mailboxes);

        assertThat(sample.busiest()).hasSize(16).startsWith(mailbox("p/18", 18), mailbox("p/17", 17));
        assertThat(sample.busiest()).endsWith(mailbox("p/3", 3));
        assertThat(sample.waiting()).isEqualTo(171);
        assertThat(sample.waitingUnnamed()).isEqualTo(3);
        assertThat(sample.waitingFor(path("p/18"))).hasValue(18);
        assertThat(sample.waitingFor(path("p/2"))).isEmpty();
    }

    @Test
    void aSampleDoesNotNameEmptyMailboxes() {
        LoadSample sample =
                LoadSample.of(node(1), 7, 0.5, 0.1, new TreeMap<>(Map.of(path("A"), 0L, path("B"), 1L, path("C"), 1L)));

        assertThat(sample.busiest()).containsExactly(mailbox("B", 1), mailbox("C", 1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void refusesSharesThatAreNone(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample(1, 1, share))
                .withMessage("cpu load of n0001:2552#1 must be between 0 and 1, was " + share);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node(1), 1, 0, share, 0, List.of()))
                .withMessage("gc share of n0001:2552#1 must be between 0 and 1, was " + share);
    }

    @Test
    void refusesSamplesThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample(1, -1, 0))
                .withMessage("sequence of a load sample of n0001:2552#1 must not be negative, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node(1), 1, 0, 0, -1, List.of()))
                .withMessage("messages waiting on n0001:2552#1 must be from 0 to 1099511627776, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mailbox("A", Long.MAX_VALUE))
                .withMessage("messages waiting for A must be from 0 to 1099511627776, was 9223372036854775807");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node(1), 1, 0, 0, 3, List.of(mailbox("A", 2), mailbox("B", 2))))
                .withMessage(
                        "messages waiting on n0001:2552#1 must include those of the partitions named, which are 4, "
                                + "was 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node(1), 1, 0, 0, 9, List.of(mailbox("A", 2), mailbox("A", 1))))
                .withMessageStartingWith("a load sample of n0001:2552#1 names a partition twice: ");
        List<Mailbox> many =
                IntStream.range(0, 17).mapToObj(i -> mailbox("p/" + i, 1)).toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node(1), 1, 0, 0, 17, many))
                .withMessage("a load sample of n0001:2552#1 names 17 partitions; name the 16 busiest");
    }

    private static LoadSample sample(int node, long sequence, double cpuLoad) {
        return new LoadSample(node(node), sequence, cpuLoad, 0, 0, List.of());
    }

    private static Mailbox mailbox(String path, long waiting) {
        return new Mailbox(path(path), waiting);
    }
}

package dev.muster.core.state;

import static dev.muster.core.Nodes.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.state.LoadSample.Mailbox;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadSampleTest {

    @Test
    void namesTheBusiestAndAddsUpTheOthers() {
        TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
        IntStream.range(0, 20).forEach(i -> mailboxes.put(path("p/" + i), (long) i % 19));

        LoadSample sample = LoadSample.of(node("a"), 7, 0.5, 0.1, mailboxes);

        assertThat(sample.busiest()).hasSize(16).startsWith(mailbox("p/18", 18), mailbox("p/17", 17));
        assertThat(sample.busiest()).endsWith(mailbox("p/3", 3));
        assertThat(sample.waiting()).isEqualTo(171);
        assertThat(sample.waitingUnnamed()).isEqualTo(3);
        assertThat(sample.waitingFor(path("p/18"))).hasValue(18);
        assertThat(sample.waitingFor(path("p/2"))).isEmpty();
        assertThat(sample.knownToWaitFor(path("p/18"))).hasValue(18);
        assertThat(sample.knownToWaitFor(path("p/2"))).isEmpty();
    }

    @Test
    void doesNotNameEmptyMailboxes() {
        LoadSample sample = LoadSample.of(
                node("a"), 7, 0.5, 0.1, new TreeMap<>(Map.of(path("A"), 0L, path("B"), 1L, path("C"), 1L)));

        assertThat(sample.busiest()).containsExactly(mailbox("B", 1), mailbox("C", 1));
        assertThat(sample.knownToWaitFor(path("A"))).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
    void refusesSharesThatAreNone(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample(1, share))
                .withMessage("cpu load of a:2552#1 must be between 0 and 1, was " + share);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node("a"), 1, 0, share, 0, List.of()))
                .withMessage("gc share of a:2552#1 must be between 0 and 1, was " + share);
    }

    @Test
    void refusesSamplesThatCannotBe() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> sample(-1, 0))
                .withMessage("sequence of a load sample of a:2552#1 must not be negative, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node("a"), 1, 0, 0, -1, List.of()))
                .withMessage("messages waiting on a:2552#1 must be from 0 to 1099511627776, was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> mailbox("A", Long.MAX_VALUE))
                .withMessage("messages waiting for A must be from 0 to 1099511627776, was 9223372036854775807");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node("a"), 1, 0, 0, 3, List.of(mailbox("A", 2), mailbox("B", 2))))
                .withMessage("messages waiting on a:2552#1 must include those of the partitions named, which are 4, "
                        + "was 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node("a"), 1, 0, 0, 9, List.of(mailbox("A", 2), mailbox("A", 1))))
                .withMessageStartingWith("a load sample of a:2552#1 names a partition twice: ");
        List<Mailbox> many =
                IntStream.range(0, 17).mapToObj(i -> mailbox("p/" + i, 1)).toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LoadSample(node("a"), 1, 0, 0, 17, many))
                .withMessage("a load sample of a:2552#1 names 17 partitions; name the 16 busiest");
    }

    private static LoadSample sample(long sequence, double cpuLoad) {
        return new LoadSample(node("a"), sequence, cpuLoad, 0, 0, List.of());
    }

    private static Mailbox mailbox(String path, long waiting) {
        return new Mailbox(path(path), waiting);
    }

    private static PartitionPath path(String text) {
        return new PartitionPath(text);
    }
}

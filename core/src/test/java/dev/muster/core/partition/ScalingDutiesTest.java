package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.clusterOf;
import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.path;
import static dev.muster.core.partition.Layouts.placement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.muster.core.state.LoadSample;
import dev.muster.core.state.LoadSample.Mailbox;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ScalingDutiesTest {
    private static final long INTERVAL =
            LoadSettings.defaults().scalingInterval().toNanos();

    private final ScalingDuties duties = new ScalingDuties(PartitionSettings.defaults());
    private final TreeMap<PartitionPath, ScalingRange> ranges = new TreeMap<>();
    private long nowNanos = -3 * INTERVAL;
    private long sequence;

    @Test
    void aPartitionUnderPressureGetsMoreInstancesAfterThreeSamples() {
        range("A", 1, 10, 0);

        assertThat(decided("A: 1 2", 150)).isEmpty();
        assertThat(decided("A: 1 2", 180)).isEmpty();
        assertThat(decided("A: 1 2", 160)).containsExactly(Map.entry("A", 3));
    }

    @Test
    void aPartitionThatIdlesGivesOneUpAfterThirty() {
        range("A", 1, 10, 0);
        for (int i = 1; i < 30; i++) {
            assertThat(decided("A: 1 2 3", 0)).isEmpty();
        }

        assertThat(decided("A: 1 2 3", 0)).containsExactly(Map.entry("A", 2));
    }

    @Test
    void theLeastNumberIsSeenToAtOnce() {
        range("A", 3, 10, 0);
        range("B", 1, 10, 4);
        range("C", 1, 10, 0);

        assertThat(decided("A: 1, B: 2, C: 3", 0)).containsExactly(Map.entry("A", 3), Map.entry("B", 4));
    }

    @Test
    void noMoreThanTheUserAllowsAndThanThereAreNodes() {
        range("A", 1, 2, 9);
        range("B", 8, 20, 0);
        ranges.put(path("C"), new ScalingRange(1, 20, 9, "backend"));

        assertThat(decided("A: 1, B: 2, C: 3", 0))
                .containsExactly(Map.entry("A", 2), Map.entry("B", 6), Map.entry("C", 0));
    }

    @Test
    void fixedNumbersAreLeftAlone() {
        range("A", 3, 3, 0);
        range("B", 2, 4, 0);

        assertThat(decided("A: 1, B: 1", 0)).containsExactly(Map.entry("B", 2));
    }

    @Test
    void decidesOnlyNowAndThen() {
        range("A", 3, 10, 0);
        assertThat(duties.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(decided("A: 1", 0)).isNotEmpty();
        assertThat(duties.nextWakeUpNanos()).isEqualTo(nowNanos + INTERVAL);

        assertThat(decidedAt(nowNanos + INTERVAL - 1, "A: 1", 0)).isEmpty();
        assertThat(decidedAt(nowNanos + INTERVAL, "A: 1", 0)).isNotEmpty();
    }

    @Test
    void nothingToDecideIsNothingToWakeUpFor() {
        assertThat(decided("A: 1", 900)).isEmpty();
        range("A", 3, 3, 0);
        assertThat(decided("A: 1", 900)).isEmpty();

        assertThat(duties.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aNewLeaderBeginsWithNothing() {
        range("A", 1, 10, 0);
        decided("A: 1", 900);
        decided("A: 1", 900);
        duties.forget();

        assertThat(duties.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        assertThat(decided("A: 1", 900)).isEmpty();
        assertThat(decided("A: 1", 900)).isEmpty();
        assertThat(decided("A: 1", 900)).isNotEmpty();
    }

    @Test
    void aPartitionThatEndedIsForgotten() {
        range("A", 1, 10, 0);
        decided("A: 1", 900);
        decided("A: 1", 900);
        ranges.clear();
        decided("B: 1", 900);
        range("A", 1, 10, 0);

        assertThat(decided("A: 1", 900)).isEmpty();
    }

    @Test
    void whatWasMeasuredOnceCountsOnce() {
        range("A", 1, 10, 0);
        decided("A: 1", 900);
        for (int i = 0; i < 10; i++) {
            sequence--;
            assertThat(decided("A: 1", 900)).isEmpty();
        }

        assertThat(decided("A: 1", 900)).isEmpty();
        assertThat(decided("A: 1", 900)).isNotEmpty();
    }

    @Test
    void withoutSamplesNothingIsDecidedByLoad() {
        range("A", 1, 10, 0);
        for (int i = 0; i < 40; i++) {
            nowNanos += INTERVAL;
            assertThat(duties.decide(ranges, placement("A: 1 2"), clusterOf(6), LoadTable.EMPTY, nowNanos))
                    .isEmpty();
        }
    }

    @Test
    void aDecisionSaysWhy() {
        range("A", 3, 10, 0);

        assertThat(duties.decide(ranges, placement("A: 1"), clusterOf(6), LoadTable.EMPTY, 0))
                .containsExactly(
                        Map.entry(path("A"), new InstanceDecision(3, "so that it survives the loss of 2 nodes")));
    }

    @Test
    void refusesRangesThatAreNone() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScalingRange(3, 2, 0, ""))
                .withMessage("the number of instances of a partition must range from 1 at least to 1000 at most, not "
                        + "from 3 to 2");
        assertThatIllegalArgumentException().isThrownBy(() -> new ScalingRange(0, 2, 0, ""));
        assertThatIllegalArgumentException().isThrownBy(() -> new ScalingRange(1, 1_001, 0, ""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ScalingRange(1, 2, -1, ""))
                .withMessage("a hint at the number of instances must not be negative, was -1");
    }

    private void range(String path, int minimum, int maximum, int hint) {
        ranges.put(path(path), new ScalingRange(minimum, maximum, hint, ""));
    }

    /** An interval later, in a cluster of six, when so much waits for A on every node. */
    private Map<String, Integer> decided(String placement, long waiting) {
        nowNanos += INTERVAL;
        return decidedAt(nowNanos, placement, waiting);
    }

    private Map<String, Integer> decidedAt(long timeNanos, String placement, long waiting) {
        sequence++;
        List<LoadSample> samples = new ArrayList<>();
        for (int number = 1; number <= 6; number++) {
            List<Mailbox> mailboxes = waiting == 0 ? List.of() : List.of(new Mailbox(path("A"), waiting));
            samples.add(new LoadSample(node(number), sequence, 0.1, 0, waiting, mailboxes));
        }
        SortedMap<PartitionPath, InstanceDecision> decisions =
                duties.decide(ranges, placement(placement), clusterOf(6), LoadTable.of(samples), timeNanos);
        return decisions.entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> entry.getKey().text(),
                        entry -> entry.getValue().instances(),
                        (one, other) -> one,
                        TreeMap::new));
    }
}

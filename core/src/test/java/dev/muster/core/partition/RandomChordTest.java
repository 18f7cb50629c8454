package dev.muster.core.partition;

import static dev.muster.core.partition.Layouts.node;
import static dev.muster.core.partition.Layouts.nodes;
import static dev.muster.core.partition.Layouts.up;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.LoadSample;
import dev.muster.core.state.Members;
import dev.muster.core.state.NodeId;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The uid of node 7 is 7, so the ring is in the order of numbers. */
class RandomChordTest {
    private static final Predicate<NodeId> ANYBODY = id -> true;

    @Test
    void asksAsManyOthersAsWanted() {
        RandomGenerator random = new SplittableRandom(1);
        for (int round = 0; round < 100; round++) {
            assertThat(RandomChord.whomToAsk(node(3), ring(20), 4, ANYBODY, random))
                    .hasSize(4)
                    .doesNotHaveDuplicates()
                    .doesNotContain(node(3));
        }
    }

    @Test
    void asksAllOthersWhenThereAreNotMore() {
        RandomGenerator random = new SplittableRandom(1);

        assertThat(RandomChord.whomToAsk(node(2), ring(3), 4, ANYBODY, random)).isEqualTo(nodes(1, 3));
        assertThat(RandomChord.whomToAsk(node(2), ring(3), 2, ANYBODY, random)).isEqualTo(nodes(1, 3));
        assertThat(RandomChord.whomToAsk(node(1), ring(1), 4, ANYBODY, random)).isEmpty();
        assertThat(RandomChord.whomToAsk(node(1), ring(9), 0, ANYBODY, random)).isEmpty();
    }

    @Test
    void asksOnlyWhoCanAnswer() {
        RandomGenerator random = new SplittableRandom(1);
        for (int round = 0; round < 100; round++) {
            assertThat(RandomChord.whomToAsk(node(1), ring(20), 4, id -> id.uid() % 2 == 0, random))
                    .hasSize(4)
                    .allMatch(id -> id.uid() % 2 == 0);
        }
    }

    @Test
    void askedNodesLieAllAroundTheRing() {
        RandomGenerator random = new SplittableRandom(2);
        for (int round = 0; round < 200; round++) {
            List<Long> places = RandomChord.whomToAsk(node(0), ring(100), 5, ANYBODY, random).stream()
                    .map(NodeId::uid)
                    .sorted()
                    .toList();
            for (int i = 1; i < places.size(); i++) {
                // Two in neighbouring arcs of twenty are less than two arcs apart.
                assertThat(places.get(i) - places.get(i - 1)).isBetween(1L, 39L);
            }
        }
    }

    @Test
    void allAreAskedEquallyOften() {
        RandomGenerator random = new SplittableRandom(3);
        int[] asked = new int[12];
        for (int round = 0; round < 10_000; round++) {
            RandomChord.whomToAsk(node(12), ring(12), 3, ANYBODY, random).forEach(id -> asked[(int) id.uid()]++);
        }
        // Eleven others, three of them each time: 2,727 times each.
        for (int i = 1; i < 12; i++) {
            assertThat(asked[i]).isBetween(2_550, 2_900);
        }
    }

    @Test
    void theSameDiceAskTheSameNodes() {
        assertThat(RandomChord.whomToAsk(node(1), ring(50), 5, ANYBODY, new SplittableRandom(7)))
                .isEqualTo(RandomChord.whomToAsk(node(1), ring(50), 5, ANYBODY, new SplittableRandom(7)));
    }

    @Test
    void neighboursAreTheNodesBeforeAndAfter() {
        assertThat(RandomChord.neighboursOf(node(3), ring(5))).isEqualTo(nodes(2, 4));
        assertThat(RandomChord.neighboursOf(node(1), ring(5))).isEqualTo(nodes(5, 2));
        assertThat(RandomChord.neighboursOf(node(5), ring(5))).isEqualTo(nodes(4, 1));
        assertThat(RandomChord.neighboursOf(node(1), ring(2))).isEqualTo(nodes(2));
        assertThat(RandomChord.neighboursOf(node(1), ring(1))).isEmpty();
        assertThat(RandomChord.neighboursOf(node(9), ring(5))).isEmpty();
    }

    @Test
    void whoIsAskedAnswersForItselfAndItsNeighbours() {
        LoadTable known = LoadTable.of(List.of(sample(1), sample(2), sample(3), sample(5)));

        assertThat(RandomChord.answerOf(node(2), ring(5), known))
                .isEqualTo(LoadTable.of(List.of(sample(1), sample(2), sample(3))));
        assertThat(RandomChord.answerOf(node(4), ring(5), known))
                .isEqualTo(LoadTable.of(List.of(sample(3), sample(5))));
        assertThat(RandomChord.answerOf(node(2), ring(5), LoadTable.EMPTY)).isEqualTo(LoadTable.EMPTY);
    }

    @Test
    void someRoundsGiveAPictureOfNearlyEverybody() {
        Members ring = ring(300);
        LoadTable everything = LoadTable.of(
                IntStream.rangeClosed(1, 300).mapToObj(RandomChordTest::sample).toList());
        RandomGenerator random = new SplittableRandom(4);
        TreeSet<NodeId> heardOf = new TreeSet<>();
        for (int round = 0; round < 30; round++) {
            for (NodeId asked : RandomChord.whomToAsk(node(1), ring, 10, ANYBODY, random)) {
                RandomChord.answerOf(asked, ring, everything).samples().forEach(sample -> heardOf.add(sample.node()));
            }
        }
        // Each round is about a tenth of all: after thirty, 0.9 to the power of 30 are missing, 13 of 300.
        assertThat(heardOf.size()).isGreaterThan(275);
    }

    private static LoadSample sample(int number) {
        return new LoadSample(node(number), 1, 0.5, 0, 0, List.of());
    }

    private static Members ring(int size) {
        return Members.of(
                IntStream.rangeClosed(1, size).mapToObj(number -> up(number)).toList());
    }
}

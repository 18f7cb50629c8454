package dev.muster.core.membership;

import static dev.muster.core.membership.DowningStates.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.NodeId;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class VertexCoverTest {
    private final SortedMap<NodeId, SortedSet<NodeId>> quarrels = new TreeMap<>();

    @Test
    void nobodyGoesWhereNobodyQuarrels() {
        assertThat(cover()).isEmpty();
    }

    @Test
    void ofTwoTheOneLessWorthKeepingGoes() {
        quarrel("a", "b");

        assertThat(cover()).isEqualTo("b");
        assertThat(cover(Comparator.reverseOrder())).isEqualTo("a");
    }

    @Test
    void theOneInTheMiddleGoesHoweverMuchItIsWorth() {
        quarrel("b", "a");
        quarrel("a", "c");

        assertThat(cover()).isEqualTo("a");
    }

    @Test
    void aPathOfFourKeepsTheMostWorthy() {
        quarrel("a", "b");
        quarrel("b", "c");
        quarrel("c", "d");

        // b c, b d and a c would all do; the first two keep a, and of these the second keeps c.
        assertThat(cover()).isEqualTo("b d");
        assertThat(cover(Comparator.reverseOrder())).isEqualTo("a c");
    }

    @Test
    void aTriangleKeepsOne() {
        quarrel("a", "b");
        quarrel("b", "c");
        quarrel("c", "a");

        assertThat(cover()).isEqualTo("b c");
    }

    @Test
    void aRingOfFiveKeepsTheMostWorthyAndThenTheNext() {
        quarrel("a", "b");
        quarrel("b", "c");
        quarrel("c", "d");
        quarrel("d", "e");
        quarrel("e", "a");

        assertThat(cover()).isEqualTo("b d e");
        assertThat(cover(Comparator.reverseOrder())).isEqualTo("a b d");
    }

    @Test
    void aRingOfFourKeepsTheMostWorthyAndItsOpposite() {
        quarrel("a", "b");
        quarrel("b", "c");
        quarrel("c", "d");
        quarrel("d", "a");

        assertThat(cover()).isEqualTo("b d");
    }

    @Test
    void separateQuarrelsAreSolvedApart() {
        for (int i = 10; i < 40; i++) {
            quarrel("x" + i, "y" + i);
        }

        assertThat(VertexCover.of(quarrels, Comparator.naturalOrder()))
                .hasSize(30)
                .allMatch(id -> id.address().host().startsWith("y"));
    }

    @Test
    void upToTwentyInOneTangleAreSolvedExactly() {
        trapForGreed();

        assertThat(quarrels).hasSize(VertexCover.EXACT_UP_TO);
        assertThat(cover()).isEqualTo("h1 h2 h3 h4 h5 h6 z1");
    }

    @Test
    void withMoreThanTwentyInOneTangleWhoQuarrelsMostGoes() {
        trapForGreed();
        quarrel("z1", "x3");

        assertThat(quarrels).hasSize(VertexCover.EXACT_UP_TO + 1);
        assertThat(cover()).isEqualTo("z1 z2-1 z2-2 z3-1 z3-2 z3-3 z6-1 z6-2 z6-3 z6-4 z6-5 z6-6");
    }

    @Test
    void twoSickMembersAmongManyCostTwo() {
        for (int i = 10; i < 30; i++) {
            quarrel("sick1", "w" + i);
            quarrel("sick2", "w" + (i + 5));
        }

        assertThat(cover()).isEqualTo("sick1 sick2");
    }

    @Test
    void whatGreedTookInVainIsGivenBack() {
        // The hub has most quarrels and goes first; afterwards all whom it quarrelled with must go for their own.
        for (int i = 10; i < 22; i++) {
            quarrel("hub", "m" + i);
            quarrel("m" + i, "p" + i);
            quarrel("m" + i, "q" + i);
        }

        assertThat(cover()).isEqualTo("m10 m11 m12 m13 m14 m15 m16 m17 m18 m19 m20 m21");
    }

    @Test
    void exactCoversAreAsSmallAsCanBe() {
        SplittableRandom random = new SplittableRandom(4711);
        for (int round = 0; round < 300; round++) {
            quarrels.clear();
            int size = 3 + random.nextInt(8);
            for (int edges = random.nextInt(2 * size); edges >= 0; edges--) {
                int from = random.nextInt(size);
                int to = random.nextInt(size);
                if (from != to) {
                    quarrel("v" + from, "v" + to);
                }
            }
            SortedSet<NodeId> cover = VertexCover.of(quarrels, Comparator.naturalOrder());
            assertCovers(cover);
            assertThat(cover).isEqualTo(bestByTryingAll());
        }
    }

    /** Of all covers the smallest, and of these the one whose members come last in the order. */
    private SortedSet<NodeId> bestByTryingAll() {
        NodeId[] vertices = quarrels.keySet().toArray(new NodeId[0]);
        SortedSet<NodeId> best = new TreeSet<>(quarrels.keySet());
        long bestKept = 0;
        for (int chosen = 0; chosen < 1 << vertices.length; chosen++) {
            SortedSet<NodeId> cover = new TreeSet<>();
            long kept = 0;
            for (int i = 0; i < vertices.length; i++) {
                if ((chosen & 1 << i) != 0) {
                    cover.add(vertices[i]);
                } else {
                    kept |= 1L << (vertices.length - i);
                }
            }
            if (covers(cover) && (cover.size() < best.size() || cover.size() == best.size() && kept > bestKept)) {
                best = cover;
                bestKept = kept;
            }
        }
        return best;
    }

    private void assertCovers(SortedSet<NodeId> cover) {
        assertThat(covers(cover)).as("%s covers %s", cover, quarrels).isTrue();
    }

    private boolean covers(SortedSet<NodeId> cover) {
        return quarrels.entrySet().stream()
                .allMatch(e -> cover.contains(e.getKey()) || cover.containsAll(e.getValue()));
    }

    /** Six h would do, but there is always a z that quarrels with as many and is worth less. */
    private void trapForGreed() {
        for (int h = 1; h <= 6; h++) {
            quarrel("h" + h, "z1");
            quarrel("h" + h, "z2-" + (h + 2) / 3);
            quarrel("h" + h, "z3-" + (h + 1) / 2);
            quarrel("h" + h, "z6-" + h);
        }
        quarrel("z1", "x1");
        quarrel("z1", "x2");
    }

    private void quarrel(String one, String other) {
        quarrels.computeIfAbsent(id(one), x -> new TreeSet<>()).add(id(other));
        quarrels.computeIfAbsent(id(other), x -> new TreeSet<>()).add(id(one));
    }

    private String cover() {
        return cover(Comparator.naturalOrder());
    }

    private String cover(Comparator<NodeId> keepFirst) {
        return DowningStates.names(VertexCover.of(quarrels, keepFirst));
    }
}

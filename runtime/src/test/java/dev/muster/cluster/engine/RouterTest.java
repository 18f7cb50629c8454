package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.Routing;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which host gets a message, if there are several. */
class RouterTest {
    private static final List<NodeId> HOSTS = IntStream.range(0, 4)
            .mapToObj(i -> new NodeId(new NodeAddress("muster", "sys", "10.0.0." + i, 2_551), 1_000 + i))
            .toList();

    private static final PartitionPath PATH = new PartitionPath("desk");
    private static final Routing<String> LEAST = Routing.leastLoaded();

    private final Map<NodeId, LoadSample> samples = new HashMap<>();
    private final Router router = router(1);

    private Router router(long seed) {
        return new Router(new SplittableRandom(seed), new HostShares(PATH, samples::get));
    }

    private void tells(NodeId host, long sequence, long waiting) {
        samples.put(host, LoadSample.of(host, sequence, 0, 0, new TreeMap<>(Map.of(PATH, waiting))));
    }

    private Map<NodeId, Integer> counts(Routing<String> routing, int messages) {
        Map<NodeId, Integer> counts = new HashMap<>();
        for (int i = 0; i < messages; i++) {
            counts.merge(router.choose(HOSTS, routing, "key " + i), 1, Integer::sum);
        }
        return counts;
    }

    @Test
    void oneAfterTheOtherIsExact() {
        assertThat(counts(Routing.roundRobin(), 400).values()).containsOnly(100);
    }

    /** Unlike one after the other, it repeats itself now and then, and nobody knows when. */
    @Test
    void anyIsNoTurn() {
        List<NodeId> chosen = Stream.generate(() -> router.choose(HOSTS, Routing.random(), null))
                .limit(1_000)
                .toList();
        long repeated = IntStream.range(1, chosen.size())
                .filter(i -> chosen.get(i).equals(chosen.get(i - 1)))
                .count();
        assertThat(repeated).isBetween(200L, 300L);
    }

    /** All nodes choose alike, whatever each has sent before. */
    @Test
    void oneKeyGoesToOneHostFromEverywhere() {
        Routing<String> routing = Routing.consistentHash(text -> text);
        Router another = router(2);
        another.next(HOSTS);
        for (int i = 0; i < 100; i++) {
            NodeId chosen = router.choose(HOSTS, routing, "key " + i);
            assertThat(router.choose(HOSTS, routing, "key " + i)).isEqualTo(chosen);
            assertThat(another.choose(HOSTS, routing, "key " + i)).isEqualTo(chosen);
        }
    }

    @Test
    void anyAndByKeyAreRoughlyEven() {
        assertThat(counts(Routing.random(), 4_000).values()).hasSize(4).allMatch(it -> it > 800 && it < 1_200);
        assertThat(counts(Routing.consistentHash(text -> text), 4_000).values())
                .hasSize(4)
                .allMatch(it -> it > 800 && it < 1_200);
    }

    @Test
    void keysStayWhereTheyAreUnlessTheirHostGoes() {
        Routing<String> routing = Routing.consistentHash(text -> text);
        List<NodeId> fewer = HOSTS.subList(0, 3);
        for (int i = 0; i < 1_000; i++) {
            NodeId before = router.choose(HOSTS, routing, "key " + i);
            NodeId after = router.choose(fewer, routing, "key " + i);
            if (fewer.contains(before)) {
                assertThat(after).isEqualTo(before);
            }
        }
    }

    @Test
    void whoGotFewestGetsTheNextAndANewcomerIsNotFlooded() {
        List<NodeId> three = HOSTS.subList(0, 3);
        for (int i = 0; i < 3_000; i++) {
            router.choose(three, LEAST, null);
        }
        assertThat(counts(LEAST, 400).values()).hasSize(4).allMatch(it -> it >= 90 && it <= 110);
    }

    private Map<NodeId, Integer> next(List<NodeId> hosts, int messages) {
        Map<NodeId, Integer> counts = new HashMap<>();
        hosts.forEach(host -> counts.put(host, 0));
        for (int i = 0; i < messages; i++) {
            counts.merge(router.choose(hosts, LEAST, null), 1, Integer::sum);
        }
        return counts;
    }

    /** What waits at a host, as nodes tell each other, counts like what was sent there. */
    @Test
    void whereMuchWaitsNothingIsSentUntilTheOthersHaveAsMuch() {
        NodeId busy = HOSTS.get(1);
        tells(busy, 1, 50);
        assertThat(next(HOSTS, 150)).containsEntry(busy, 0);
        assertThat(next(HOSTS, 50).get(busy)).isBetween(10, 15);
    }

    /** Also if it says the same as before: then it has handled what was sent to it, and as much waits again. */
    @Test
    void aNewSampleIsFollowedHoweverMuchWasSentBefore() {
        NodeId busy = HOSTS.get(1);
        for (int round = 1; round < 10; round++) {
            long sequence = round;
            HOSTS.forEach(host -> tells(host, sequence, host.equals(busy) ? 50 : 0));
            assertThat(next(HOSTS, 150)).containsEntry(busy, 0);
            assertThat(next(HOSTS, 1_000).get(busy)).isLessThan(255);
        }
        HOSTS.forEach(host -> tells(host, 10, 0));
        assertThat(next(HOSTS, 400).get(busy)).isBetween(60, 110);
    }

    /** The others have not told yet that they have handled what was sent to them. */
    @Test
    void whoHasJustToldThatNothingWaitsIsNotFlooded() {
        for (int round = 1; round < 20; round++) {
            for (NodeId host : HOSTS) {
                tells(host, round, 0);
                assertThat(next(HOSTS, 400).values()).allMatch(it -> it >= 98 && it <= 102);
            }
        }
    }

    /** In a large cluster a node hears of few others. */
    @Test
    void whoNeverTellsGetsItsShare() {
        for (int round = 1; round < 100; round++) {
            tells(HOSTS.get(0), round, 0);
            tells(HOSTS.get(1), round, round % 2 * 40L);
            Map<NodeId, Integer> counts = next(HOSTS, 400);
            assertThat(counts.get(HOSTS.get(2))).isBetween(80, 140);
            assertThat(counts.get(HOSTS.get(3))).isBetween(80, 140);
        }
    }

    /** One handles a fifth of what comes, and the other more than all; both tell every 2,500 messages. */
    @Test
    void aSlowHostDoesNotFallBehindFurtherAndFurther() {
        NodeId slow = HOSTS.get(0);
        NodeId fast = HOSTS.get(1);
        double waits = 0;
        for (int round = 1; round < 100; round++) {
            for (int i = 0; i < 2_500; i++) {
                boolean isForSlow =
                        router.choose(List.of(slow, fast), LEAST, null).equals(slow);
                waits = Math.max(0, waits + (isForSlow ? 1 : 0) - 0.2);
            }
            assertThat(waits).as("after %d samples", round).isLessThan(800);
            tells(slow, round, Math.round(waits));
            tells(fast, round, 0);
        }
    }

    @Test
    void whoCarriesLeastGetsAll() {
        NodeId idle = HOSTS.get(2);
        Routing<String> routing = Routing.leastLoaded(host -> host.equals(idle) ? 1 : 5);
        assertThat(Stream.generate(() -> router.choose(HOSTS, routing, null)).limit(50))
                .containsOnly(idle);
        Routing<String> even = Routing.leastLoaded(host -> 3);
        assertThat(counts(even, 400).values()).containsOnly(100);
    }
}

package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.cluster.Routing;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which host gets a message, if there are several. */
class RouterTest {
    private static final List<NodeId> HOSTS = IntStream.range(0, 4)
            .mapToObj(i -> new NodeId(new NodeAddress("muster", "sys", "10.0.0." + i, 2_551), 1_000 + i))
            .toList();

    private final Router router = new Router(new SplittableRandom(1), host -> 0);

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
        Router another = new Router(new SplittableRandom(2), host -> host.uid());
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
        Routing<String> routing = Routing.leastLoaded();
        List<NodeId> three = HOSTS.subList(0, 3);
        for (int i = 0; i < 3_000; i++) {
            router.choose(three, routing, null);
        }
        assertThat(counts(routing, 400).values()).hasSize(4).allMatch(it -> it >= 90 && it <= 110);
    }

    /** What waits at a host, as nodes tell each other, counts like what was sent there. */
    @Test
    void whereMuchWaitsNothingIsSentUntilTheOthersHaveAsMuch() {
        NodeId busy = HOSTS.get(1);
        Router informed = new Router(new SplittableRandom(1), host -> host.equals(busy) ? 50 : 0);
        List<NodeId> chosen = Stream.generate(() -> informed.choose(HOSTS, Routing.leastLoaded(), null))
                .limit(200)
                .toList();
        assertThat(chosen.subList(0, 150)).doesNotContain(busy);
        assertThat(chosen.subList(150, 200)).contains(busy);
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

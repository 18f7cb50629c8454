package dev.muster.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.testkit.relay.Link;
import dev.muster.testkit.relay.Relays;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Five processes with relays between them, cut in two. The first seed is on the side that loses, because it is the one
 * that could form a second cluster.
 */
@Tag("process")
@Order(1)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SplitTest {
    private static final Duration DECIDED = Duration.ofSeconds(6 + 3 + 4);
    private static final Duration HEALED = Duration.ofSeconds(15);
    private static final int SEED_TIMEOUT_MILLIS = 2_000;
    private static Relays relays;
    private static Processes cluster;

    @BeforeAll
    static void form() {
        relays = new Relays(2);
        cluster = Processes.behind(relays, "split", 5)
                .with(
                        "DA",
                        "muster.cluster.split-brain-resolver.stable-after=3s",
                        "muster.cluster.seed-node-timeout=" + SEED_TIMEOUT_MILLIS + "ms")
                .form();
    }

    @AfterAll
    static void close() {
        cluster.close();
        relays.close();
    }

    /** NET-02. */
    @Test
    @Order(1)
    void theSmallerSideFormsNoClusterAndComesBackWithoutARestart() {
        List<NodeProcess> larger = cluster.nodes("ABC");
        List<NodeProcess> smaller = cluster.nodes("DE");
        List<String> uids = larger.stream().map(NodeProcess::uid).toList();
        List<String> lost = smaller.stream().map(NodeProcess::uid).toList();
        List<Long> pids = smaller.stream().map(NodeProcess::pid).toList();
        Map<NodeProcess, Long> before = cluster.marks();

        relays.between(larger, smaller, Link.Way.CUT);

        cluster.awaitFormed(larger, DECIDED);
        for (NodeProcess loser : smaller) {
            cluster.awaitEnded(loser, before.get(loser), DECIDED);
            cluster.awaitLogged(loser, before.get(loser), "started as", Duration.ofSeconds(5));
        }
        // The cut still stands. Whoever would form a cluster because nobody answers would do so by now.
        Machine.pass(3 * SEED_TIMEOUT_MILLIS);
        cluster.assertNotLogged(before, cluster.all(), "formed a new cluster");
        assertThat(smaller).allSatisfy(it -> assertThat(it.view().up()).isZero());

        relays.between(larger, smaller, Link.Way.OPEN);

        cluster.awaitFormed(cluster.all(), HEALED);
        assertThat(larger.stream().map(NodeProcess::uid)).isEqualTo(uids);
        assertThat(smaller.stream().map(NodeProcess::pid)).isEqualTo(pids);
        assertThat(smaller.stream().map(NodeProcess::uid)).doesNotContainAnyElementsOf(lost);
        cluster.assertNotLogged(before, cluster.all(), "formed a new cluster");
    }

    /** NET-12. */
    @Test
    @Order(2)
    void whoCanSendButHearsNothingGoesAlone() {
        NodeProcess deaf = cluster.node('D');
        List<NodeProcess> others = cluster.allBut(deaf);
        List<String> uids = others.stream().map(NodeProcess::uid).toList();
        String uid = deaf.uid();
        Map<NodeProcess, Long> before = cluster.marks();

        relays.oneWay(others, List.of(deaf), Link.Way.CUT);

        cluster.awaitRemoved(uid, others, DECIDED);
        cluster.awaitEnded(deaf, before.get(deaf), DECIDED);
        cluster.awaitFormed(others, Duration.ofSeconds(3));
        relays.oneWay(others, List.of(deaf), Link.Way.OPEN);

        cluster.awaitFormed(cluster.all(), HEALED);
        assertThat(others.stream().map(NodeProcess::uid)).isEqualTo(uids);
        assertThat(deaf.uid()).isNotEqualTo(uid);
        cluster.assertNotLogged(before, cluster.all(), "formed a new cluster");
        cluster.assertNotLogged(before, others, "membership has ended");
    }

    /** NET-20: no end of a connection is told, so only the missing heartbeats can. */
    @Test
    @Order(3)
    void aMachineThatVanishesWithoutAWordIsNoticedByItsSilence() {
        NodeProcess vanished = cluster.node('E');
        List<NodeProcess> others = cluster.allBut(vanished);
        String uid = vanished.uid();

        relays.between(others, List.of(vanished), Link.Way.VOID);
        vanished.kill();

        cluster.awaitUnreachable(vanished, others, Duration.ofSeconds(6));
        cluster.awaitRemoved(uid, others, DECIDED);
        relays.between(others, List.of(vanished), Link.Way.OPEN);
        vanished.start();
        cluster.awaitFormed(cluster.all(), HEALED);
    }

    /** NET-21. */
    @Test
    @Order(4)
    void connectionsThatAreResetAgainAndAgainHarmNobody() {
        NodeProcess first = cluster.node('A');
        NodeProcess last = cluster.node('E');
        Map<NodeProcess, Long> before = cluster.marks();
        int connections = relays.connections(first, last);

        for (int round = 0; round < 5; round++) {
            relays.oneWay(cluster.all(), cluster.all(), Link.Way.RESET);
            Machine.pass(200);
            relays.oneWay(cluster.all(), cluster.all(), Link.Way.OPEN);
            Machine.pass(1_000);
        }

        cluster.awaitFormed(cluster.all(), Duration.ofSeconds(5));
        cluster.assertNotLogged(before, cluster.all(), "is unreachable");
        assertThat(relays.connections(first, last) - connections)
                .as("connections from %s to %s in these seconds", first, last)
                .isBetween(1, 40);
    }
}

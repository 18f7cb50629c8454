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

/** Three processes with relays between them. Single links fail, and the first seed comes back at a bad time. */
@Tag("process")
@Order(2)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SickLinksTest {
    private static final Duration DECIDED = Duration.ofSeconds(6 + 3 + 4);
    private static final Duration HEALED = Duration.ofSeconds(20);
    private static Relays relays;
    private static Processes cluster;

    @BeforeAll
    static void form() {
        relays = new Relays(3);
        cluster = Processes.behind(relays, "sick-links", 3)
                .with(
                        "AB",
                        "muster.cluster.split-brain-resolver.stable-after=3s",
                        "muster.cluster.seed-node-timeout=6s",
                        "muster.cluster.island-check-interval=1s")
                .form();
    }

    @AfterAll
    static void close() {
        cluster.close();
        relays.close();
    }

    /** NET-08: of two that cannot hear each other one goes, the younger; the one between them stays. */
    @Test
    @Order(1)
    void oneBrokenLinkCostsOneMember() {
        NodeProcess younger = cluster.node('C');
        List<NodeProcess> others = cluster.nodes("AB");
        List<String> uids = others.stream().map(NodeProcess::uid).toList();
        String uid = younger.uid();
        Map<NodeProcess, Long> before = cluster.marks();

        relays.between(cluster.nodes("A"), cluster.nodes("C"), Link.Way.CUT);

        cluster.awaitRemoved(uid, others, DECIDED);
        relays.between(cluster.nodes("A"), cluster.nodes("C"), Link.Way.OPEN);

        cluster.awaitFormed(cluster.all(), HEALED);
        assertThat(others.stream().map(NodeProcess::uid)).isEqualTo(uids);
        cluster.assertNotLogged(before, cluster.all(), "formed a new cluster");
        cluster.assertNotLogged(before, others, "membership has ended");
    }

    /** NET-15: of each five packets to one node four are lost, later also of those from it. */
    @Test
    @Order(2)
    void aNodeThatLosesMostPacketsCostsNobodyElse() {
        NodeProcess lossy = cluster.node('C');
        List<NodeProcess> others = cluster.nodes("AB");
        List<String> uids = others.stream().map(NodeProcess::uid).toList();
        Map<NodeProcess, Long> before = cluster.marks();

        others.forEach(other -> relays.link(other, lossy).lose(0.8));
        Machine.pass(8_000);
        others.forEach(other -> relays.link(lossy, other).lose(0.8));
        Machine.pass(8_000);
        others.forEach(other -> relays.link(other, lossy).lose(0));
        others.forEach(other -> relays.link(lossy, other).lose(0));

        cluster.awaitFormed(cluster.all(), HEALED);
        assertThat(others.stream().map(NodeProcess::uid)).isEqualTo(uids);
        cluster.assertNotLogged(before, cluster.all(), "formed a new cluster");
        cluster.assertNotLogged(before, others, "membership has ended");
    }

    /** PROC-15: the others answer late, but before the first seed has waited for long enough. */
    @Test
    @Order(3)
    void aRestartedFirstSeedWaitsForSlowAnswers() {
        NodeProcess first = cluster.node('A');
        Map<NodeProcess, Long> before = cluster.marks();
        cluster.nodes("BC").forEach(other -> relays.link(other, first).delay(300));

        first.kill();
        first.start();

        cluster.awaitFormed(cluster.all(), HEALED);
        cluster.assertNotLogged(before, cluster.all(), "formed a new cluster");
        cluster.nodes("BC").forEach(other -> relays.link(other, first).delay(0));
    }

    /** PROC-15: a new process cannot know that it is cut off. It forms an island, which is found and given up. */
    @Test
    @Order(4)
    void aFirstSeedThatStartedCutOffIsFoundAndComesBack() {
        NodeProcess first = cluster.node('A');
        List<NodeProcess> others = cluster.nodes("BC");
        List<String> uids = others.stream().map(NodeProcess::uid).toList();
        Map<NodeProcess, Long> before = cluster.marks();
        relays.between(List.of(first), others, Link.Way.CUT);

        first.kill();
        first.start();
        cluster.awaitLogged(first, before.get(first), "formed a new cluster", Duration.ofSeconds(10));
        cluster.awaitFormed(others, DECIDED);
        relays.between(List.of(first), others, Link.Way.OPEN);

        cluster.awaitFormed(cluster.all(), HEALED);
        assertThat(others.stream().map(NodeProcess::uid)).isEqualTo(uids);
        cluster.assertNotLogged(before, others, "membership has ended");
    }
}

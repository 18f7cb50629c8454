package dev.muster.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Three processes in networks of their own, between which real packets are lost. Unlike with relays, the
 * acknowledgements of TCP are lost too, and connections cannot even be opened.
 */
@Tag("process")
@Order(4)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PacketsTest {
    private static final Duration DECIDED = Duration.ofSeconds(6 + 3 + 4);
    /** TCP itself waits for longer and longer before it tries again, so healing takes a while. */
    private static final Duration HEALED = Duration.ofSeconds(30);

    private static Namespaces networks;
    private static Processes cluster;

    @BeforeAll
    static void form() {
        Optional<String> whyNot = Namespaces.whyNot();
        Assumptions.assumeTrue(whyNot.isEmpty(), () -> whyNot.orElseThrow());
        networks = Namespaces.create(3);
        cluster = Processes.at(List.of(networks.place(1), networks.place(2), networks.place(3)), "packets")
                .with(
                        "AB",
                        "muster.cluster.split-brain-resolver.stable-after=3s",
                        "muster.remote.insecure=on",
                        "muster.management.http.insecure=on")
                .form();
    }

    @AfterAll
    static void close() {
        if (cluster != null) {
            cluster.close();
        }
        if (networks != null) {
            networks.close();
        }
    }

    /** NET-12. */
    @Test
    @Order(1)
    void whoCanSendButHearsNothingGoesAlone() {
        NodeProcess deaf = cluster.node('C');
        List<NodeProcess> others = cluster.nodes("AB");
        List<String> uids = others.stream().map(NodeProcess::uid).toList();
        String uid = deaf.uid();
        Map<NodeProcess, Long> before = cluster.marks();

        networks.drop(1, 3, true);
        networks.drop(2, 3, true);

        cluster.awaitRemoved(uid, others, DECIDED);
        cluster.awaitEnded(deaf, before.get(deaf), DECIDED);
        networks.drop(1, 3, false);
        networks.drop(2, 3, false);

        cluster.awaitFormed(cluster.all(), HEALED);
        assertThat(others.stream().map(NodeProcess::uid)).isEqualTo(uids);
        cluster.assertNotLogged(before, cluster.all(), "formed a new cluster");
        cluster.assertNotLogged(before, others, "membership has ended");
    }

    /** NET-15. */
    @Test
    @Order(2)
    void aNodeThatLosesMostPacketsCostsNobodyElse() {
        List<NodeProcess> others = cluster.nodes("AB");
        List<String> uids = others.stream().map(NodeProcess::uid).toList();
        Map<NodeProcess, Long> before = cluster.marks();

        networks.lose(1, 3, 0.8);
        networks.lose(2, 3, 0.8);
        Machine.pass(8_000);
        networks.lose(3, 1, 0.8);
        networks.lose(3, 2, 0.8);
        Machine.pass(8_000);
        networks.stopLosing();

        cluster.awaitFormed(cluster.all(), HEALED);
        assertThat(others.stream().map(NodeProcess::uid)).isEqualTo(uids);
        cluster.assertNotLogged(before, cluster.all(), "formed a new cluster");
        cluster.assertNotLogged(before, others, "membership has ended");
    }
}

package dev.muster.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The walk-through of an introduction to Akka's cluster, step by step. There the ports are 2551, 2552 and 2900; here A,
 * B and C. B is listed first among the seeds, so B may form the cluster, but A has the lower address and leads.
 */
@Tag("process")
@Order(7)
class SeedDocumentTest {

    @Test
    void theWalkThroughGoesAsItIsDescribed() {
        try (Processes cluster =
                Processes.of("seed-document", 3).with("BA", "muster.cluster.split-brain-resolver.stable-after=3s")) {
            NodeProcess node2551 = cluster.node('A');
            NodeProcess node2552 = cluster.node('B');
            NodeProcess node2900 = cluster.node('C');

            node2551.start();
            cluster.awaitLogged(node2551, 0, "not a member yet", Duration.ofSeconds(15));
            assertThat(node2551.logSince(0)).contains("no help from " + node2552.hostAndPort());
            assertThat(node2551.view().members()).isEmpty();

            node2552.start();
            cluster.awaitFormed(List.of(node2551, node2552), Duration.ofSeconds(10));
            assertThat(node2552.logSince(0))
                    .containsSubsequence(
                            "formed a new cluster",
                            "the leader is " + node2552.hostAndPort(),
                            node2551.hostAndPort() + " is joining",
                            node2551.hostAndPort() + " is up",
                            "the leader is " + node2551.hostAndPort());
            assertThat(node2551.logSince(0))
                    .contains("the leader is " + node2551.hostAndPort())
                    .doesNotContain("formed a new cluster");

            node2900.start();
            cluster.awaitFormed(cluster.all(), Duration.ofSeconds(10));
            assertThat(node2552.logSince(0)).contains(node2900.hostAndPort() + " is up, number 3");

            String uid = node2552.uid();
            Map<NodeProcess, Long> before = cluster.marks();
            node2552.kill();
            node2552.start();
            cluster.awaitFormed(cluster.all(), Duration.ofSeconds(15));
            assertThat(node2552.uid()).isNotEqualTo(uid);
            assertThat(node2551.logSince(before.get(node2551)))
                    .containsSubsequence(
                            node2552.hostAndPort() + " was removed",
                            node2552.hostAndPort() + " is joining",
                            node2552.hostAndPort() + " is up");
            // It is the first seed, and may form a cluster, but there is one.
            cluster.assertNotLogged(before, cluster.all(), "formed a new cluster");
            assertThat(node2552.view().leader().orElseThrow()).endsWith(node2551.hostAndPort());
        }
    }
}

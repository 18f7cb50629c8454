package dev.muster.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** PROC-05, thirty seconds: longer than the others wait. Two are paused at once, and wake up to different settings. */
@Tag("process")
@Order(3)
class LongPauseTest {

    @Test
    void whoSleptTooLongJoinsAgainAsAnotherOrStops() {
        try (Processes cluster =
                Processes.of("long-pause", 5).with("AB", "muster.cluster.split-brain-resolver.stable-after=5s")) {
            NodeProcess comesBack = cluster.node('D');
            NodeProcess stops = cluster.node('E');
            stops.alsoSet("muster.cluster.rejoin.enabled=off");
            cluster.form();
            List<NodeProcess> others = cluster.nodes("ABC");
            String uid = comesBack.uid();
            String uidOfOther = stops.uid();
            long pid = comesBack.pid();
            Map<NodeProcess, Long> before = cluster.marks();
            long beginNanos = System.nanoTime();

            comesBack.pause();
            stops.pause();
            cluster.awaitRemoved(uid, others, Duration.ofSeconds(6 + 5 + 3));
            cluster.awaitRemoved(uidOfOther, others, Duration.ofSeconds(1));
            cluster.awaitFormed(others, Duration.ofSeconds(2));
            Machine.pass(30_000 - (System.nanoTime() - beginNanos) / 1_000_000);
            comesBack.resume();
            stops.resume();

            assertThat(stops.awaitEnd(20)).isEqualTo(1);
            assertThat(stops.logSince(before.get(stops))).contains("stopped: the cluster has removed this node");
            cluster.awaitFormed(cluster.nodes("ABCD"), Duration.ofSeconds(15));
            assertThat(comesBack.pid()).isEqualTo(pid);
            assertThat(comesBack.uid()).isNotEqualTo(uid);
            assertThat(comesBack.logSince(before.get(comesBack)))
                    .contains("membership has ended", "joins again as a new incarnation");
            // Neither believed, on waking up, that everybody else was gone, and nobody formed a second cluster.
            cluster.assertNotLogged(before, cluster.nodes("ABDE"), "formed a new cluster");
            cluster.assertNotLogged(before, cluster.nodes("DE"), "downing by");
        }
    }
}

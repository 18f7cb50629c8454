package dev.muster.node.process;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** PROC-09, and PROC-15 where all goes well: the first seed is among those that are restarted. */
@Tag("process")
@Order(6)
class RollingRestartTest {

    @Test
    void allAreRestartedOneByOneAtTheirOldAddressesAndNobodyIsLost() {
        try (Processes cluster = Processes.of("rolling-restart", 5).with("AB").form()) {
            Map<NodeProcess, Long> before = cluster.marks();
            for (NodeProcess node : cluster.all()) {
                List<NodeProcess> others = cluster.allBut(node);
                String uid = node.uid();
                node.terminate();
                cluster.awaitRemoved(uid, others, Duration.ofSeconds(3));
                node.awaitEnd(15);
                node.start();
                cluster.awaitFormed(cluster.all(), Duration.ofSeconds(10));
            }
            for (String never : List.of("is unreachable", "is down", "downing by", "formed a new cluster")) {
                cluster.assertNotLogged(before, cluster.all(), never);
            }
        }
    }
}

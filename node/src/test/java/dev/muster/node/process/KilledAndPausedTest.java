package dev.muster.node.process;

import static org.assertj.core.api.Assertions.assertThat;

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

/** One cluster of five processes; they leave, are killed, and are stopped for a while. Each test leaves it whole. */
@Tag("process")
@Order(5)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class KilledAndPausedTest {
    private static final Duration NOTICED = Duration.ofSeconds(6);
    private static final Duration STABLE_AFTER = Duration.ofSeconds(5);
    private static Processes cluster;

    @BeforeAll
    static void form() {
        cluster = Processes.of("killed-and-paused", 5)
                .with("AB", "muster.cluster.split-brain-resolver.stable-after=5s")
                .form();
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    @Test
    @Order(1)
    void whoLeavesIsRemovedEverywhereWithinASecond() {
        NodeProcess leaver = cluster.node('D');
        List<NodeProcess> others = cluster.allBut(leaver);
        String uid = leaver.uid();
        Map<NodeProcess, Long> before = cluster.marks();

        leaver.terminate();

        cluster.awaitRemoved(uid, others, Duration.ofSeconds(1));
        leaver.awaitEnd(10);
        cluster.assertNotLogged(before, others, "is unreachable");
        cluster.assertNotLogged(before, others, "is down");
        leaver.start();
        cluster.awaitFormed(cluster.all(), Duration.ofSeconds(10));
    }

    @Test
    @Order(2)
    void whoIsAskedToLeaveOverHttpEndsWithCodeZero() {
        NodeProcess leaver = cluster.node('E');
        List<NodeProcess> others = cluster.allBut(leaver);
        String uid = leaver.uid();

        cluster.node('B').leaveByHttp(leaver);

        cluster.awaitRemoved(uid, others, Duration.ofSeconds(1));
        assertThat(leaver.awaitEnd(10)).isZero();
        leaver.start();
        cluster.awaitFormed(cluster.all(), Duration.ofSeconds(10));
    }

    /** PROC-05, two seconds. */
    @Test
    @Order(3)
    void aPauseOfTwoSecondsIsForgiven() {
        NodeProcess paused = cluster.node('C');
        Map<NodeProcess, Long> before = cluster.marks();

        paused.pause();
        Machine.pass(2_000);
        paused.resume();

        Machine.pass(2_000);
        cluster.assertNotLogged(before, cluster.all(), "is unreachable");
        cluster.awaitFormed(cluster.all(), Duration.ofSeconds(2));
    }

    /** PROC-05, five seconds, or rather until everybody has noticed. */
    @Test
    @Order(4)
    void whoIsPausedForSomeSecondsIsUnreachableAndThenReachableAgain() {
        NodeProcess paused = cluster.node('C');
        List<NodeProcess> others = cluster.allBut(paused);
        String uid = paused.uid();
        Map<NodeProcess, Long> before = cluster.marks();

        paused.pause();
        cluster.awaitUnreachable(paused, others, NOTICED);
        paused.resume();

        cluster.awaitFormed(cluster.all(), Duration.ofSeconds(5));
        assertThat(paused.uid()).isEqualTo(uid);
        cluster.assertNotLogged(before, cluster.all(), "is down");
        // It was the one that stood still, and must not take the others for dead.
        for (NodeProcess other : others) {
            cluster.assertNotLogged(before, List.of(paused), other.hostAndPort() + " is unreachable");
        }
    }

    /** PROC-01. */
    @Test
    @Order(5)
    void whoIsKilledIsNoticedRemovedAndJoinsAgainWhenRestarted() {
        NodeProcess killed = cluster.node('A');
        List<NodeProcess> others = cluster.allBut(killed);
        String uid = killed.uid();

        killed.kill();

        cluster.awaitUnreachable(killed, others, NOTICED);
        cluster.awaitRemoved(uid, others, STABLE_AFTER.plusSeconds(3));
        cluster.awaitFormed(others, Duration.ofSeconds(2));
        killed.start();
        cluster.awaitFormed(cluster.all(), Duration.ofSeconds(10));
        assertThat(killed.uid()).isNotEqualTo(uid);
    }
}

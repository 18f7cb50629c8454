package dev.muster.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.node.client.ClusterView;
import dev.muster.node.process.HandlingNode.Handled;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What there may be one of at a time loses its host, while messages for it keep coming. Each test leaves the cluster
 * whole, and itself on another host.
 */
@Tag("process")
@Order(2)
class LostHostsTest {
    private static final Duration STABLE_AFTER = Duration.ofSeconds(5);
    private static final Duration MARGIN = Duration.ofSeconds(3);
    private static final Duration REMOVED =
            Duration.ofSeconds(6).plus(STABLE_AFTER).plusSeconds(3);
    private static final Duration ELSEWHERE = MARGIN.plusSeconds(4);
    private static final int MORE_THAN_THERE_IS_TIME_FOR = 1_000_000;
    private static final int SOME = 100;
    private static Processes cluster;

    @BeforeAll
    static void form() {
        cluster = Processes.of("lost-hosts", 3)
                .with("AB", "muster.cluster.split-brain-resolver.stable-after=5s", HandlingNode.STAY);
        HandlingNode.runBy(cluster, MORE_THAN_THERE_IS_TIME_FOR);
        cluster.form();
    }

    @AfterAll
    static void close() {
        cluster.close();
    }

    /** PROC-01 and P7: it is known to be dead only after the margin, for it might as well only stand still. */
    @Test
    void afterAKillItBeginsElsewhereOnceTheMarginIsOver() {
        Map<NodeProcess, Long> begin = cluster.marks();
        NodeProcess killed = awaitHandling(begin);
        String uid = killed.uid();

        killed.kill();

        long stillMember = awaitRemoved(uid, cluster.allBut(killed));
        Handled first = awaitElsewhere(begin, killed);
        assertThat(Duration.ofNanos(first.nanos() - stillMember)).isGreaterThanOrEqualTo(MARGIN);
        killed.start();
        cluster.awaitFormed(cluster.all(), Duration.ofSeconds(10));
        assertOneAfterTheOther(begin);
    }

    /** PROC-05, the resume fence: what waits for a host that slept too long is not handled when it wakes up. */
    @Test
    void whoSleptWhileItWasReplacedHandlesNothingWhenItWakesUp() {
        Map<NodeProcess, Long> begin = cluster.marks();
        NodeProcess paused = awaitHandling(begin);
        String uid = paused.uid();

        paused.pause();
        long asleep = System.nanoTime();
        long stillMember = awaitRemoved(uid, cluster.allBut(paused));
        Handled first = awaitElsewhere(begin, paused);
        paused.resume();
        assertThat(Duration.ofNanos(first.nanos() - stillMember)).isGreaterThanOrEqualTo(MARGIN);

        cluster.awaitEnded(paused, begin.get(paused), Duration.ofSeconds(10));
        cluster.awaitFormed(cluster.all(), Duration.ofSeconds(15));
        assertThat(paused.uid()).isNotEqualTo(uid);
        assertThat(HandlingNode.handled(HandlingNode.DESK, begin))
                .filteredOn(it -> it.node() == paused)
                .as("what %s has handled", paused)
                .isNotEmpty()
                .allMatch(it -> it.nanos() < asleep);
        assertOneAfterTheOther(begin);
    }

    /** Returns who hosts it, when that one has something to do. */
    private static NodeProcess awaitHandling(Map<NodeProcess, Long> begin) {
        cluster.await("messages at the desk", Duration.ofSeconds(10), () -> {
            int count = HandlingNode.handled(HandlingNode.DESK, begin).size();
            return count >= SOME ? List.of() : List.of(count + " have been handled");
        });
        List<Handled> handled = HandlingNode.handled(HandlingNode.DESK, begin);
        return handled.get(handled.size() - 1).node();
    }

    /**
     * Returns a moment at which each of them still had it as a member: the last look but one. What a node shows may be
     * a moment behind what it knows, where many programs wait for a processor. It is removed later, and whoever decides
     * where it goes is one of them.
     */
    private static long awaitRemoved(String uid, List<NodeProcess> observers) {
        Map<NodeProcess, Long> lastLook = new HashMap<>();
        Map<NodeProcess, Long> stillMember = new HashMap<>();
        cluster.await(
                "removal of " + uid,
                REMOVED,
                () -> observers.stream()
                        .filter(node -> {
                            long asked = System.nanoTime();
                            ClusterView view = node.view();
                            boolean has = view.members().stream()
                                    .anyMatch(row -> row.uid().equals(uid));
                            if (has) {
                                Long before = lastLook.put(node, asked);
                                stillMember.put(node, before == null ? asked : before);
                            }
                            return has || view.members().isEmpty();
                        })
                        .map(node -> node + " still has it")
                        .toList());
        return stillMember.values().stream().mapToLong(Long::longValue).min().orElseThrow();
    }

    /** Returns what the next instance has handled first. */
    private static Handled awaitElsewhere(Map<NodeProcess, Long> begin, NodeProcess former) {
        cluster.await(
                "an instance elsewhere",
                ELSEWHERE,
                () -> elsewhere(begin, former).size() >= SOME ? List.of() : List.of("not there yet"));
        return elsewhere(begin, former).get(0);
    }

    private static List<Handled> elsewhere(Map<NodeProcess, Long> begin, NodeProcess former) {
        return HandlingNode.handled(HandlingNode.DESK, begin).stream()
                .filter(it -> it.node() != former)
                .toList();
    }

    /**
     * By the time at which they were handled, messages have never gone back to an earlier epoch, or to another host.
     */
    private static void assertOneAfterTheOther(Map<NodeProcess, Long> begin) {
        List<Handled> handled = HandlingNode.handled(HandlingNode.DESK, begin);
        assertThat(handled).extracting(Handled::epoch).isSorted();
        assertThat(handled.stream()
                        .map(it -> it.node() + " with epoch " + it.epoch())
                        .distinct())
                .as("who hosted it")
                .hasSize(2);
        assertThat(handled.stream().map(Handled::epoch).distinct()).hasSize(2);
        // What a lost host had not come to is lost, but nothing is handled twice.
        assertThat(handled).extracting(Handled::number).doesNotHaveDuplicates();
    }
}

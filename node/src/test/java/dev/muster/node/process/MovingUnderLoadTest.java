package dev.muster.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.node.process.HandlingNode.Handled;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** HO-02 with two of its option sets: whoever hosts is told to end while messages keep coming. */
@Tag("process")
@Order(7)
class MovingUnderLoadTest {
    private static final int MESSAGES = 1_200;
    private static final int BETWEEN = 200;

    @Test
    void allIsHandledOnceAndInOrderWhileHostsEndAndComeBack() {
        try (Processes cluster = Processes.of("moving-under-load", 3).with("AB", HandlingNode.STAY)) {
            HandlingNode.runBy(cluster, MESSAGES);
            Map<NodeProcess, Long> begin = cluster.marks();
            cluster.form();

            for (int i = 0; i < 2; i++) {
                awaitMore(cluster, begin);
                NodeProcess host = last(HandlingNode.DESK, begin).node();
                host.terminate();
                host.awaitEnd(20);
                host.start();
                cluster.awaitFormed(cluster.all(), Duration.ofSeconds(10));
            }
            awaitMore(cluster, begin);

            cluster.await(
                    "the last message",
                    Duration.ofSeconds(20),
                    () -> List.of(HandlingNode.LANE, HandlingNode.DESK).stream()
                            .filter(path -> last(path, begin).number() < MESSAGES)
                            .toList());
            for (String path : List.of(HandlingNode.LANE, HandlingNode.DESK)) {
                List<Handled> handled = HandlingNode.handled(path, begin);
                assertThat(handled)
                        .as(path)
                        .extracting(Handled::number)
                        .containsExactlyElementsOf(
                                LongStream.rangeClosed(1, MESSAGES).boxed().toList());
                assertThat(handled.stream().map(Handled::node).distinct())
                        .as("where %s was", path)
                        .hasSize(2);
            }
            List<Handled> atTheDesk = HandlingNode.handled(HandlingNode.DESK, begin);
            assertThat(atTheDesk).allMatch(it -> it.count() == it.number());
            assertThat(atTheDesk).extracting(Handled::epoch).isSorted();
        }
    }

    private static Handled last(String path, Map<NodeProcess, Long> begin) {
        List<Handled> handled = HandlingNode.handled(path, begin);
        return handled.isEmpty()
                ? new Handled(begin.keySet().iterator().next(), path, 0, 0, 0, 0)
                : handled.get(handled.size() - 1);
    }

    /** So that the load goes on before and after each move. */
    private static void awaitMore(Processes cluster, Map<NodeProcess, Long> begin) {
        long before = last(HandlingNode.DESK, begin).number();
        cluster.await("more messages at the desk", Duration.ofSeconds(10), () -> {
            long now = last(HandlingNode.DESK, begin).number();
            return now >= Math.min(MESSAGES, before + BETWEEN) ? List.of() : List.of("number " + now);
        });
    }
}

package dev.muster.node.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.LocalCluster;
import dev.muster.cluster.LocalCluster.Node;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The partitions of the demo and their clients, on real nodes in this process. */
class DemoCountingTest {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final PartitionPath CLOCK = new PartitionPath("clock");

    private final Map<String, DemoLoad> loads = new ConcurrentHashMap<>();

    @Test
    void theClockGoesOnWhereverItIsAndNothingIsLost() {
        try (LocalCluster cluster = LocalCluster.start(
                "demo",
                2,
                ConfigFactory.load(),
                system -> loads.computeIfAbsent(
                                Cluster.get(system).selfAddress().toString(), it -> new DemoLoad())
                        .accept(system))) {
            cluster.awaitUp(PATIENCE);
            cluster.await("all clients have seen the clock", PATIENCE, () -> loads.size() == 2 && allHaveSeen(2));
            NodeAddress before = host(cluster.node(0)).orElseThrow().address();
            NodeAddress after = cluster.nodes().stream()
                    .map(Node::address)
                    .filter(it -> !it.equals(before))
                    .findFirst()
                    .orElseThrow();

            assertThat(cluster.node(0).cluster().migrate(CLOCK, after).join().done())
                    .isTrue();

            cluster.await(
                    "it has moved",
                    PATIENCE,
                    () -> host(cluster.node(1))
                            .filter(it -> it.address().equals(after))
                            .isPresent());
            long reached = figure(DemoFigures.CLOCK).stream().max(Long::compare).orElseThrow();
            cluster.await("it goes on", PATIENCE, () -> allHaveSeen(reached + 1));
            assertThat(figure(DemoFigures.LOST)).containsOnly(0L);
            assertThat(figure(DemoFigures.OUT_OF_ORDER)).containsOnly(0L);
            assertThat(figure(DemoFigures.CLOCK_SET_BACK)).containsOnly(0L);
            assertThat(figure(DemoFigures.ANSWERED)).allMatch(it -> it > 1);
        }
    }

    private boolean allHaveSeen(long ticks) {
        return figure(DemoFigures.CLOCK).stream().allMatch(it -> it >= ticks);
    }

    private List<Long> figure(String name) {
        return loads.values().stream().map(load -> load.figures().get(name)).toList();
    }

    private static Optional<NodeId> host(Node node) {
        return node.cluster()
                .snapshot()
                .partitions()
                .find(CLOCK)
                .map(PartitionEntry::instances)
                .flatMap(hosts -> hosts.stream().findFirst());
    }
}

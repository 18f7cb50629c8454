package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whole nodes measure their mailboxes, tell each other, and help out. */
class ScalingPartitionTest {
    private static final PartitionPath PATH = new PartitionPath("mill");
    private static final int MANY = 2_000;

    record Grain(int number) {}

    private final Map<Integer, ActorRef<Grain>> refs = new HashMap<>();
    private final TreeMap<Integer, Integer> groundAt = new TreeMap<>();
    private VirtualCluster cluster;
    private boolean isSlow = true;

    @Test
    void aFloodedInstanceGetsHelp() {
        start(1, 2);
        int first = hosts().get(0).address().port();
        for (int i = 0; i < MANY; i++) {
            refs.get(first).tell(new Grain(i));
        }
        cluster.await("there is another one", () -> hosts().size() == 2);
        isSlow = false;
        for (int i = 0; i < 10; i++) {
            refs.get(first).tell(new Grain(MANY + i));
        }
        cluster.pass(5_000);
        assertThat(groundAt).hasSize(2);
        assertThat(groundAt.values().stream().mapToInt(it -> it).sum()).isEqualTo(MANY + 10);
    }

    @Test
    void withAFixedNumberItHasToManageAlone() {
        start(1, 1);
        for (int i = 0; i < MANY; i++) {
            refs.get(hosts().get(0).address().port()).tell(new Grain(i));
        }
        cluster.pass(120_000);
        assertThat(hosts()).hasSize(1);
    }

    private void start(int least, int most) {
        cluster = new VirtualCluster(
                1, 3, "", node -> refs.put(node.port, node.cluster.host(partition(node, least, most))));
        cluster.awaitUp();
        cluster.await(
                "all have the row",
                () -> cluster.nodes().stream()
                        .allMatch(node -> !node.cluster.snapshot().partitions().isEmpty()));
        cluster.pass(500);
        assertThat(hosts()).hasSize(1);
    }

    private Partition<Grain> partition(Node node, int least, int most) {
        return Partition.at(PATH.text(), () -> mill(node))
                .instances(least, most)
                .messages(Grain.class);
    }

    /** Takes a second for each grain: so long the world goes on without it. */
    private Behavior<Grain> mill(Node node) {
        return Behaviors.receive(Grain.class, (context, grain) -> {
            cluster.world.runUntil(() -> !isSlow, Duration.ofSeconds(1));
            groundAt.merge(node.port, 1, Integer::sum);
            return Behaviors.same();
        });
    }

    private List<NodeId> hosts() {
        return cluster.node(0)
                .cluster
                .snapshot()
                .partitions()
                .find(PATH)
                .orElseThrow()
                .instances();
    }
}

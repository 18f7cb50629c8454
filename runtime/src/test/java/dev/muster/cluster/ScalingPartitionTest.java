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
import java.util.function.Function;
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
    private int slowPort; // 0 if all are slow
    private Runnable afterHalfAMinute = () -> {};

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

    /** Nobody has sent anything before, so only what nodes tell each other says where less waits. */
    @Test
    void whoIsToldByOthersWhereMuchWaitsSendsElsewhere() {
        start(2, node -> partition(node, 2, 2).routing(Routing.leastLoaded()));
        List<Integer> ports = hosts().stream().map(it -> it.address().port()).toList();
        slowPort = ports.get(0);
        int third = 2_551 + 2_552 + 2_553 - ports.get(0) - ports.get(1);
        afterHalfAMinute = () -> {
            assertThat(groundAt.get(ports.get(1))).as("it got half of them").isEqualTo(MANY / 2);
            for (int i = 0; i < 20; i++) {
                refs.get(third).tell(new Grain(i));
            }
            isSlow = false;
        };
        for (int i = 0; i < MANY; i++) {
            refs.get(ports.get(1)).tell(new Grain(i));
        }
        cluster.pass(60_000);
        assertThat(groundAt.get(ports.get(1))).isEqualTo(MANY / 2 + 20);
        assertThat(groundAt.get(slowPort)).isEqualTo(MANY / 2);
    }

    @Test
    void whatItsUsersExpectIsThereBeforeTheLoadIs() {
        start(3, node -> partition(node, 1, 3).expecting(3));
        assertThat(cluster.node(0)
                        .cluster
                        .snapshot()
                        .partitions()
                        .find(PATH)
                        .orElseThrow()
                        .spec()
                        .hint())
                .isEqualTo(3);
    }

    private void start(int least, int most) {
        start(1, node -> partition(node, least, most));
    }

    private void start(int instances, Function<Node, Partition<Grain>> partition) {
        cluster = new VirtualCluster(1, 3, "", node -> refs.put(node.port, node.cluster.host(partition.apply(node))));
        cluster.awaitUp();
        cluster.await(
                "all have the row",
                () -> cluster.nodes().stream()
                        .allMatch(node -> !node.cluster.snapshot().partitions().isEmpty()));
        cluster.await("it has its instances", () -> hosts().size() == instances);
        cluster.pass(500);
        assertThat(hosts()).hasSize(instances);
    }

    private Partition<Grain> partition(Node node, int least, int most) {
        return Partition.at(PATH.text(), () -> mill(node))
                .instances(least, most)
                .messages(Grain.class);
    }

    /** Takes a second for each grain: so long the world goes on without it. */
    private Behavior<Grain> mill(Node node) {
        return Behaviors.receive(Grain.class, (context, grain) -> {
            if (slowPort == 0 || slowPort == node.port) {
                cluster.world.runUntil(() -> !isSlow, Duration.ofSeconds(1));
            }
            int ground = groundAt.merge(node.port, 1, Integer::sum);
            if (slowPort == node.port && ground == 30) {
                afterHalfAMinute.run();
            }
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

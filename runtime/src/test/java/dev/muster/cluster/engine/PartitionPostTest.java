package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.Partition;
import dev.muster.cluster.VirtualCluster;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a node keeps about a partition. */
class PartitionPostTest {
    private static final PartitionPath PATH = new PartitionPath("desk");

    private final Map<Integer, ActorRef<String>> refs = new HashMap<>();

    private static PartitionPost post(Node node) {
        return node.cluster.posts().postFor(PATH);
    }

    private static NodeId host(Node asked) {
        return asked.cluster
                .snapshot()
                .partitions()
                .find(PATH)
                .filter(row -> row.pending().isEmpty())
                .map(row -> row.instances().get(0))
                .orElse(null);
    }

    /** By the row it is no host any more while it is still a member, and no row comes after it has gone. */
    @Test
    void aHostThatHasLeftIsForgotten() {
        VirtualCluster cluster = new VirtualCluster(
                1,
                3,
                "",
                node -> refs.put(
                        node.port,
                        node.cluster.host(Partition.at(PATH.text(), Behaviors::<String>empty)
                                .messages(String.class))));
        cluster.awaitUp();
        cluster.await("all know where it is", () -> cluster.nodes().stream().allMatch(node -> host(node) != null));
        NodeId former = host(cluster.node(0));
        Node leaver = cluster.nodes().stream()
                .filter(node -> node.cluster.self().equals(former))
                .findFirst()
                .orElseThrow();
        Node sender = cluster.nodes().stream()
                .filter(node -> node != leaver)
                .findFirst()
                .orElseThrow();
        cluster.pass(2_000);
        refs.get(sender.port).tell("hello");
        assertThat(post(sender).correspondents()).contains(former);

        var unused = leaver.cluster.leave(leaver.address());
        cluster.await(
                "it has gone",
                () -> !sender.cluster.snapshot().state().members().has(former));
        assertThat(host(sender)).isNotEqualTo(former);
        assertThat(post(sender).correspondents()).doesNotContain(former);
    }
}

package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.PostStop;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** After a partition was ended, something else may take its path. */
class HostedAnewTest {
    private static final PartitionPath PATH = new PartitionPath("desk");

    record Count(int number) {}

    private final Map<Integer, ActorRef<String>> refs = new HashMap<>();
    private final List<String> alive = new ArrayList<>();
    private final VirtualCluster cluster =
            new VirtualCluster(1, 3, "", node -> host(node, Partition.at(PATH.text(), () -> desk("v1", node))));

    private void host(Node node, Partition<String> partition) {
        refs.put(node.port, node.cluster.host(partition.messages(String.class)));
    }

    private static Partition<String> singleton(Behavior<String> behavior) {
        return Partition.singleton(PATH.text(), Count.class, nothing -> behavior);
    }

    private Behavior<String> desk(String version, Node node) {
        return Behaviors.setup(begun -> {
            alive.add(version + " at " + node);
            return Behaviors.receive(String.class)
                    .on(String.class, (context, question) -> {
                        context.reply(version);
                        return Behaviors.same();
                    })
                    .onSignal(PostStop.class, (context, signal) -> {
                        alive.remove(version + " at " + node);
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    private static List<NodeId> instances(Node node) {
        return node.cluster
                .snapshot()
                .partitions()
                .find(PATH)
                .map(row -> row.instances())
                .orElse(List.of());
    }

    private void awaitOne() {
        cluster.awaitUp();
        cluster.await(
                "one instance",
                () -> cluster.nodes().stream().allMatch(node -> instances(node).size() == 1) && alive.size() == 1);
    }

    private void end() {
        var ended = cluster.node(2).cluster.end(PATH);
        cluster.await(
                "it has ended",
                () -> ended.isDone()
                        && alive.isEmpty()
                        && cluster.nodes().stream()
                                .allMatch(node -> instances(node).isEmpty()));
        assertThat(ended.join().done()).isTrue();
        cluster.pass(1_000);
    }

    private void hostOneByOne(BiFunction<String, Node, Partition<String>> partition) {
        for (Node node : cluster.nodes()) {
            host(node, partition.apply("v2", node));
            cluster.pass(5_000);
        }
    }

    private void moveTo(Node node) {
        var unused = cluster.node(0).cluster.migrate(PATH, node.address());
        cluster.await("it is at " + node, () -> instances(node).equals(List.of(node.cluster.self())));
        cluster.pass(3_000);
    }

    private String ask(Node from) {
        var answer = refs.get(from.port).ask("who?", String.class, Duration.ofSeconds(5));
        cluster.await("an answer", answer::isDone);
        return answer.join();
    }

    @Test
    void itMayBeHostedWithOtherSettingsNodeByNode() {
        awaitOne();
        end();
        hostOneByOne((version, node) -> singleton(desk(version, node)));
        awaitOne();
        for (Node node : cluster.nodes()) {
            moveTo(node);
            assertThat(alive).containsExactly("v2 at " + node);
            assertThat(ask(cluster.node(0))).isEqualTo("v2");
        }
    }

    @Test
    void aNodeThatHasNotHostedItAnewDoesNotRunWhatItKnewBefore() {
        awaitOne();
        end();
        host(cluster.node(0), singleton(desk("v2", cluster.node(0))));
        cluster.pass(5_000);
        var unused = cluster.node(0).cluster.migrate(PATH, cluster.node(1).address());
        cluster.pass(10_000);
        assertThat(alive).noneMatch(it -> it.startsWith("v1"));
        var reasons = cluster.node(1).cluster.explain(new Cluster.Question.Partition(PATH));
        cluster.await("an answer", reasons::isDone);
        assertThat(reasons.join()).anyMatch(it -> it.contains("the node does not know it; call Cluster.host there"));
    }

    @Test
    void whatRunsOfTheOldCodeBeginsAnewWhereItIsHostedAnew() {
        awaitOne();
        end();
        host(cluster.node(0), Partition.at(PATH.text(), () -> desk("v2", cluster.node(0))));
        awaitOne();
        moveTo(cluster.node(1));
        assertThat(alive).as("with the same settings it may go on").containsExactly("v1 at 2552");

        host(cluster.node(1), Partition.at(PATH.text(), () -> desk("v2", cluster.node(1))));
        cluster.pass(1_000);
        assertThat(alive).containsExactly("v2 at 2552");
        assertThat(ask(cluster.node(2))).isEqualTo("v2");
    }

    /** Only a partition that was ended gives way. */
    @Test
    void whatIsHostedTwiceGoesOn() {
        awaitOne();
        List<String> before = List.copyOf(alive);
        hostOneByOne((version, node) -> Partition.at(PATH.text(), () -> desk(version, node)));
        assertThat(alive).isEqualTo(before);
        assertThat(ask(cluster.node(0))).isEqualTo("v1");
    }
}

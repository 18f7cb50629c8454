package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.Behaviors;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.PartitionPath;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What users hang on the answers of a cluster may wait for the next answer. */
class ClusterFuturesTest {
    private static final PartitionPath PATH = new PartitionPath("desk");

    interface Question {
        CompletableFuture<?> ask(Cluster cluster, NodeAddress other);
    }

    static Map<String, Question> questions() {
        return Map.ofEntries(
                Map.entry("heartbeats", (cluster, other) -> cluster.heartbeats()),
                Map.entry("join", Cluster::join),
                Map.entry("joinSeedNodes", (cluster, other) -> cluster.joinSeedNodes()),
                Map.entry("leave", Cluster::leave),
                Map.entry("down", Cluster::down),
                Map.entry("explain", (cluster, other) -> cluster.explain(new Cluster.Question.Everything())),
                Map.entry(
                        "explain partition", (cluster, other) -> cluster.explain(new Cluster.Question.Partition(PATH))),
                Map.entry("end", (cluster, other) -> cluster.end(PATH)),
                Map.entry("migrate", (cluster, other) -> cluster.migrate(PATH, other)),
                Map.entry("migrate from", (cluster, other) -> cluster.migrate(PATH, cluster.selfAddress(), other)),
                Map.entry("rebalance", (cluster, other) -> cluster.rebalance()),
                Map.entry("rebalancePlan", (cluster, other) -> cluster.rebalancePlan()),
                Map.entry("migrationPlan", (cluster, other) -> cluster.migrationPlan(PATH, other)),
                Map.entry(
                        "migrationPlan from",
                        (cluster, other) -> cluster.migrationPlan(PATH, cluster.selfAddress(), other)),
                Map.entry("reasonsOfMoves", (cluster, other) -> cluster.reasonsOfMoves()),
                Map.entry("waitingMoves", (cluster, other) -> cluster.waitingMoves()));
    }

    /** In virtual time, to wait is to let the others go on; the core cannot if it is its turn that waits. */
    @TestFactory
    Stream<DynamicTest> aCallbackMayAskAgainAndWait() {
        return questions().entrySet().stream()
                .map(it -> DynamicTest.dynamicTest(it.getKey(), () -> asksAgainAndWaits(it.getValue())));
    }

    private static void asksAgainAndWaits(Question question) {
        VirtualCluster cluster = new VirtualCluster(
                1, 2, "", node -> node.cluster.host(Partition.at(PATH.text(), Behaviors::<String>empty)));
        cluster.awaitUp();
        Cluster node = cluster.node(0).cluster;

        var both = question.ask(node, cluster.node(1).address()).thenApply(first -> {
            var second = node.rebalance();
            cluster.await("the second answer", second::isDone);
            return second.join().done();
        });

        cluster.await("the first answer", both::isDone);
        assertThat(both.join()).isTrue();
    }
}

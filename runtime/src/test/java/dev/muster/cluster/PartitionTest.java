package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.core.state.PartitionPath;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Partitions on real nodes in one process. */
class PartitionTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String PATH = "billing/invoices~1";

    /** Says on which node it runs. */
    private static Behavior<String> namesItsNode(Cluster cluster) {
        return Behaviors.receive(String.class, (context, text) -> {
            context.reply(text + " " + cluster.selfAddress().port());
            return Behaviors.same();
        });
    }

    @Test
    void itRunsWhereTheTableSaysAndElsewhereWhenAHostHasGone() {
        Map<String, ActorRef<String>> refs = new ConcurrentHashMap<>();
        try (LocalCluster cluster = LocalCluster.start(
                "partitions",
                4,
                ConfigFactory.parseString("muster.cluster.split-brain-resolver.stable-after = 1s")
                        .withFallback(ConfigFactory.load()),
                system -> {
                    Cluster node = Cluster.get(system);
                    refs.put(
                            node.selfAddress().hostAndPort(),
                            node.host(
                                    Partition.at(PATH, () -> namesItsNode(node)).instances(2)));
                })) {
            cluster.awaitUp(SOON);
            cluster.await(
                    "all have the table",
                    SOON,
                    () -> cluster.nodes().stream().allMatch(node -> hosts(node).size() == 2));
            LocalCluster.Node asking = cluster.node(3);
            ActorRef<String> ref = refs.get(asking.address().hostAndPort());
            cluster.await("both instances answer", SOON, () -> answering(ref).equals(hosts(asking)));

            LocalCluster.Node killed = cluster.nodes().stream()
                    .filter(node -> hosts(asking).contains(node.address().port()) && node != asking)
                    .findFirst()
                    .orElseThrow();
            killed.kill();
            cluster.await(
                    "two others answer",
                    SOON,
                    () -> hosts(asking).size() == 2
                            && !hosts(asking).contains(killed.address().port())
                            && answering(ref).equals(hosts(asking)));
        }
    }

    private static TreeSet<Integer> hosts(LocalCluster.Node node) {
        TreeSet<Integer> ports = new TreeSet<>();
        node.cluster()
                .snapshot()
                .partitions()
                .find(new PartitionPath(PATH))
                .ifPresent(row ->
                        row.instances().forEach(it -> ports.add(it.address().port())));
        return ports;
    }

    private static TreeSet<Integer> answering(ActorRef<String> ref) {
        TreeSet<Integer> ports = new TreeSet<>();
        for (String question : List.of("one", "two", "three", "four")) {
            try {
                String answer =
                        ref.ask(question, String.class, Duration.ofMillis(500)).join();
                assertThat(answer).startsWith(question + " ");
                ports.add(Integer.valueOf(answer.substring(question.length() + 1)));
            } catch (CompletionException notYet) {
                // Whoever was asked is not there yet, or no longer.
            }
        }
        return ports;
    }

    @Test
    void whatIsWrongIsNamed() {
        assertThatThrownBy(() -> Partition.at("a//b", () -> null)).hasMessageContaining("a//b");
        assertThatThrownBy(() -> Partition.at("a", () -> null).instances(0))
                .hasMessage("a partition has 1 to 1000 instances, not 0");
    }
}

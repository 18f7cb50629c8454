package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.PostStop;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A partition ends when somebody says so, everywhere, and stays so until somebody hosts it anew. */
class EndingPartitionsTest {
    private static final PartitionPath PATH = new PartitionPath("desk");

    private final Map<Integer, ActorRef<String>> refs = new HashMap<>();
    private final List<Integer> began = new ArrayList<>();
    private final List<Integer> stopped = new ArrayList<>();
    private final List<DeadLetter> deadLetters = new ArrayList<>();
    private boolean isInSetup = true;
    private final VirtualCluster cluster = new VirtualCluster(1, 3, "", this::setUp);

    private void setUp(Node node) {
        if (isInSetup) {
            refs.put(node.port, node.cluster.host(desk(node)));
        }
        ActorRef<DeadLetter> listener = node.system.spawn(Behaviors.receive(DeadLetter.class, (context, letter) -> {
            deadLetters.add(letter);
            return Behaviors.same();
        }));
        node.system.events().subscribe(listener, DeadLetter.class);
    }

    private Partition<String> desk(Node node) {
        return Partition.at(PATH.text(), () -> behavior(node))
                .tolerating(nodes -> (nodes - 1) / 2)
                .messages(String.class);
    }

    private Behavior<String> behavior(Node node) {
        began.add(node.port);
        return Behaviors.receive(String.class)
                .onSignal(PostStop.class, (context, signal) -> {
                    stopped.add(node.port);
                    return Behaviors.same();
                })
                .build();
    }

    private void awaitInstances(int count) {
        cluster.awaitUp();
        cluster.await(
                count + " instances",
                () -> cluster.nodes().stream().allMatch(node -> instances(node) == count)
                        && began.size() - stopped.size() == count);
    }

    private static int instances(Node node) {
        return node.cluster
                .snapshot()
                .partitions()
                .find(PATH)
                .map(row -> row.instances().size())
                .orElse(0);
    }

    private Cluster.Outcome end(Node by, PartitionPath path) {
        var outcome = by.cluster.end(path);
        cluster.await("an answer", outcome::isDone);
        return outcome.join();
    }

    @Test
    void itsInstancesEndEverywhereAndWhatIsSentLaterIsDeadLetters() {
        awaitInstances(2);
        assertThat(end(cluster.node(2), PATH).done()).isTrue();
        awaitInstances(0);
        assertThat(stopped).containsExactlyInAnyOrderElementsOf(began);

        for (Node node : cluster.nodes()) {
            refs.get(node.port).tell("from " + node.port);
        }
        cluster.pass(500);
        assertThat(deadLetters).hasSize(3).allMatch(it -> it.reason() == DeadLetter.Reason.STOPPED);
    }

    @Test
    void nodesThatComeDoNotBringItBackButWhoeverHostsItDoes() {
        awaitInstances(2);
        assertThat(end(cluster.node(0), PATH).done()).isTrue();
        awaitInstances(0);
        isInSetup = false;
        cluster.add();
        cluster.add();
        cluster.awaitUp();
        cluster.pass(30_000);
        awaitInstances(0);

        refs.put(2_552, cluster.node(1).cluster.host(desk(cluster.node(1))));
        cluster.nodes().subList(3, 5).forEach(node -> refs.put(node.port, node.cluster.host(desk(node))));
        awaitInstances(3);
    }

    @Test
    void onlyWhatIsKnownCanBeEnded() {
        awaitInstances(2);
        assertThat(end(cluster.node(1), new PartitionPath("disk")))
                .isEqualTo(new Cluster.Outcome(false, "there is no partition disk, as far as this node knows"));
        end(cluster.node(1), PATH);
        awaitInstances(0);
        assertThat(end(cluster.node(1), PATH).done()).isFalse();
    }
}

package dev.muster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.PostStop;
import dev.muster.cluster.VirtualCluster.Node;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A singleton is ended and hosted again with another role: the next one begins elsewhere, and not before. */
class HostedElsewhereTest {
    private static final PartitionPath PATH = new PartitionPath("desk");
    private static final int WITH_FRONT = 2_552;
    private static final int WITH_BACK = 2_553;

    private final List<String> story = new ArrayList<>();

    private Partition<String> desk(Node node, String role) {
        return Partition.singleton(PATH.text(), () -> behavior(node.port))
                .role(role)
                .messages(String.class);
    }

    private Behavior<String> behavior(int port) {
        story.add("begins on " + port);
        return Behaviors.receive(String.class)
                .onSignal(PostStop.class, (context, signal) -> {
                    story.add("ends on " + port);
                    return Behaviors.same();
                })
                .build();
    }

    @Test
    void itBeginsWhereTheOtherRoleIsWhenItHasEndedWhereItWas() {
        for (long seed = 1; seed <= 5; seed++) {
            story.clear();
            VirtualCluster cluster = new VirtualCluster(seed, 1, "", node -> node.cluster.host(desk(node, "front")));
            cluster.add("muster.cluster.roles = [front]");
            cluster.add("muster.cluster.roles = [back]");
            cluster.awaitUp();
            cluster.await("the first", () -> story.contains("begins on " + WITH_FRONT));

            var outcome = cluster.node(0).cluster.end(PATH);
            cluster.await("the end", outcome::isDone);
            assertThat(outcome.join().done()).isTrue();
            cluster.await(
                    "all to know of it",
                    () -> cluster.nodes().stream()
                            .allMatch(node -> node.cluster
                                    .snapshot()
                                    .partitions()
                                    .find(PATH)
                                    .isEmpty()));
            cluster.nodes().forEach(node -> node.cluster.host(desk(node, "back")));
            cluster.await("the next", () -> story.contains("begins on " + WITH_BACK));
            cluster.pass(30_000);

            assertThat(story)
                    .as("seed %d", seed)
                    .containsExactly("begins on " + WITH_FRONT, "ends on " + WITH_FRONT, "begins on " + WITH_BACK);
        }
    }
}

package dev.muster.interop.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A team moves from one kind to the other, node by node, while clients of both kinds go on asking. */
@Tag("interop")
class RollingTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void allNodesAreReplacedByTheOtherKind(Kind before) {
        try (MixedCluster cluster = new MixedCluster()) {
            List<Node> old = new ArrayList<>(cluster.form(before, before, before, before, before));
            List<Node> clients = List.of(cluster.start(before), cluster.start(before.other()));
            clients.forEach(client -> client.hears("up"));
            cluster.awaitAllUp();
            clients.forEach(client -> client.tell("flow " + old.get(0).path("echo")));
            for (Node leaver : old) {
                Node newcomer = cluster.start(before.other());
                newcomer.hears("up");
                cluster.awaitAllUp();
                clients.forEach(client -> client.tell("flow " + newcomer.path("echo")));

                newcomer.tell("ask " + leaver.path("echo") + " are you still there");
                assertThat(newcomer.hears("answer")).isEqualTo("answer are you still there");
                leaver.tell("ask " + newcomer.path("echo") + " are you there already");
                assertThat(leaver.hears("answer")).isEqualTo("answer are you there already");

                leaver.tell("leave " + leaver.address());
                leaver.hears("removed");
                cluster.forget(leaver);
                cluster.awaitAllUp();
                leaver.close();
            }
            assertThat(cluster.nodes())
                    .filteredOn(node -> !clients.contains(node))
                    .hasSize(5)
                    .allMatch(node -> node.kind() == before.other());
            for (Node client : clients) {
                client.tell("flow-end");
                assertThat(client.hears("flowed"))
                        .as("what %s was answered", client)
                        .matches("flowed \\d{3,} missing 0 reordered 0");
            }
        }
    }
}

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

/** A team moves from one kind to the other, node by node, while somebody goes on asking. */
@Tag("interop")
class RollingTest {

    @ParameterizedTest
    @EnumSource(Kind.class)
    void allNodesAreReplacedByTheOtherKind(Kind before) {
        try (MixedCluster cluster = new MixedCluster()) {
            List<Node> old = new ArrayList<>(cluster.form(before, before, before, before, before));
            for (Node leaver : old) {
                Node newcomer = cluster.start(before.other());
                newcomer.hears("up");
                cluster.awaitAllUp();

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
            assertThat(cluster.nodes()).hasSize(5).allMatch(node -> node.kind() == before.other());
        }
    }
}

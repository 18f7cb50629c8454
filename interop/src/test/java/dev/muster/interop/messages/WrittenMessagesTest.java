package dev.muster.interop.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Messages of users, each kind with classes of its own: Jackson's CBOR with a ref inside, and protobuf. */
@Tag("interop")
class WrittenMessagesTest {

    @Test
    void bothKindsUnderstandEachOthersMessages() {
        try (MixedCluster cluster = new MixedCluster()) {
            List<Node> nodes = cluster.form(Kind.PEKKO, Kind.MUSTER);
            exchange(nodes.get(0), nodes.get(1));
            exchange(nodes.get(1), nodes.get(0));
        }
    }

    private static void exchange(Node asking, Node asked) {
        asking.tell("order " + asked.path("shop") + " Ada");
        assertThat(asking.hears("placed")).isEqualTo("placed Ada 7.35");

        asking.tell("struct " + asked.path("echo") + " größer");
        assertThat(asking.hears("struct")).isEqualTo("struct größer 6");
    }
}

package dev.muster.interop.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts both ways in order, and the death of an actor and of its node, seen from the other kind. */
class TalkingTest {

    @Test
    void bothKindsTalkToAndWatchEachOther() {
        try (MixedCluster cluster = new MixedCluster()) {
            List<Node> nodes = cluster.form(Kind.PEKKO, Kind.MUSTER, Kind.PEKKO, Kind.MUSTER);
            Node pekko = nodes.get(0);
            Node muster = nodes.get(1);

            talk(pekko, muster);
            talk(muster, pekko);

            watchActor(pekko, nodes.get(3));
            watchActor(muster, nodes.get(2));

            watchNode(pekko, muster, cluster);
        }
    }

    private static void talk(Node asking, Node asked) {
        asking.tell("ask " + asked.path("echo") + " how are you");
        assertThat(asking.hears("answer")).isEqualTo("answer how are you");

        asking.tell("flood " + asked.path("echo") + " 2000");
        assertThat(asking.hears("flooded")).isEqualTo("flooded 2000 wrong 0");
    }

    private static void watchActor(Node watching, Node watched) {
        watching.tell("watch " + watched.path("echo"));
        watching.hears("watching");
        watched.tell("stop-echo");
        assertThat(watching.hears("terminated")).startsWith("terminated " + watched.path("echo"));
    }

    private static void watchNode(Node watching, Node watched, MixedCluster cluster) {
        watching.tell("watch " + watched.path("echo"));
        watching.hears("watching");
        watched.kill();
        cluster.forget(watched);
        assertThat(watching.hears("terminated")).startsWith("terminated " + watched.path("echo"));
    }
}

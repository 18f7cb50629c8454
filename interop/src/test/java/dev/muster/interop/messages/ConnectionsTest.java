package dev.muster.interop.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.interop.node.Kind;
import dev.muster.interop.node.MixedCluster;
import dev.muster.interop.node.Node;
import dev.muster.interop.node.Setup;
import dev.muster.testkit.relay.Link;
import dev.muster.testkit.relay.Relays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that are many, and connections that break. */
@Tag("interop")
class ConnectionsTest {

    @Test
    void aPeerMaySendByManyConnections() {
        try (MixedCluster cluster = new MixedCluster(
                "pekko.remote.artery.advanced.outbound-lanes=4", "pekko.remote.artery.advanced.inbound-lanes=4")) {
            List<Node> nodes = cluster.form(Kind.PEKKO, Kind.MUSTER);
            Node pekko = nodes.get(0);
            Node muster = nodes.get(1);
            for (int i = 0; i < 20; i++) {
                exchange(pekko, muster);
                exchange(muster, pekko);
            }
            assertThat(pekko.log()).noneMatch(line -> line.contains("failed. Restarting it"));
        }
    }

    private static void exchange(Node asking, Node asked) {
        asking.tell("flood " + asked.path("echo") + " 500");
        assertThat(asking.hears("flooded")).isEqualTo("flooded 500 wrong 0");
        asking.tell("order " + asked.path("shop") + " Ada");
        assertThat(asking.hears("placed")).isEqualTo("placed Ada 7.35");
    }

    /** What is on the way when a connection breaks may be lost; what is sent later is not. */
    @Test
    void afterABreakTheyGoOn() {
        try (Relays relays = new Relays(5);
                MixedCluster cluster = new MixedCluster(Setup.of().behind(relays))) {
            List<Node> nodes = cluster.form(Kind.PEKKO, Kind.MUSTER);
            for (int i = 0; i < 5; i++) {
                relays.between(nodes.subList(0, 1), nodes.subList(1, 2), Link.Way.RESET);
                for (Node node : nodes) {
                    Node other = node == nodes.get(0) ? nodes.get(1) : nodes.get(0);
                    node.tell("ask " + other.path("echo") + " can anybody hear me");
                }
                relays.between(nodes.subList(0, 1), nodes.subList(1, 2), Link.Way.OPEN);
                for (Node node : nodes) {
                    Node other = node == nodes.get(0) ? nodes.get(1) : nodes.get(0);
                    awaitAnswer(node, other, "round " + i);
                    node.tell("flood " + other.path("echo") + " 1000");
                    assertThat(node.hears("flooded")).isEqualTo("flooded 1000 wrong 0");
                }
            }
            cluster.awaitAllUp();
        }
    }

    private static void awaitAnswer(Node asking, Node asked, String text) {
        asking.await("gets an answer from " + asked, state -> {
            asking.tell("ask " + asked.path("echo") + " " + text);
            return asking.log().stream().anyMatch(line -> line.endsWith("answer " + text));
        });
    }
}

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

/**
 * Who receives often from the same actor offers a number for it, and who sends uses that. Seen from between the two:
 * after a while whole messages take fewer bytes than their names would, and all of them still arrive.
 */
@Tag("interop")
class CompressionTest {
    private static final int MESSAGES = 2_000;
    private static final int MOST_FLOODS = 30;

    @Test
    void namesAreReplacedByNumbersBothWays() {
        try (Relays relays = new Relays(1);
                MixedCluster cluster = new MixedCluster(Setup.of(
                                "pekko.remote.artery.advanced.compression.actor-refs.advertisement-interval=1s",
                                "pekko.remote.artery.advanced.compression.manifests.advertisement-interval=1s")
                        .behind(relays))) {
            List<Node> nodes = cluster.form(Kind.PEKKO, Kind.MUSTER);
            Node pekko = nodes.get(0);
            Node muster = nodes.get(1);
            Link toMuster = relays.link(pekko, muster);
            Link toPekko = relays.link(muster, pekko);

            // Written out, the names of sender and receiver alone would take this.
            long names = (long) MESSAGES
                    * (pekko.path("client").length() + muster.path("echo").length());
            Flood last = flood(pekko, muster, toMuster, toPekko);
            for (int i = 0; i < MOST_FLOODS && !last.isBelow(names); i++) {
                last = flood(pekko, muster, toMuster, toPekko);
            }
            assertThat(last.isBelow(names))
                    .as("bytes of %s messages, whose names have %s: %s", MESSAGES, names, last)
                    .isTrue();
        }
    }

    /** Bytes on the way there and on the way back. */
    private record Flood(long there, long back) {
        boolean isBelow(long bytes) {
            return there < bytes && back < bytes;
        }
    }

    private static Flood flood(Node pekko, Node muster, Link toMuster, Link toPekko) {
        long there = toMuster.bytes();
        long back = toPekko.bytes();
        pekko.tell("flood " + muster.path("echo") + " " + MESSAGES);
        assertThat(pekko.hears("flooded")).isEqualTo("flooded " + MESSAGES + " wrong 0");
        return new Flood(toMuster.bytes() - there, toPekko.bytes() - back);
    }
}

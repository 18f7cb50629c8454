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
 * the same messages take fewer bytes after a while, and all of them still arrive.
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

            Flood first = flood(pekko, muster, toMuster, toPekko);
            Flood last = first;
            for (int i = 0; i < MOST_FLOODS && !last.isSmallerThan(first); i++) {
                last = flood(pekko, muster, toMuster, toPekko);
            }
            assertThat(last.isSmallerThan(first))
                    .as("bytes of %s messages at first %s, after all %s", MESSAGES, first, last)
                    .isTrue();
        }
    }

    /** Bytes on the way there and on the way back. */
    private record Flood(long there, long back) {

        /** Both names of a message are some 60 characters each, and nothing else of it is as long. */
        boolean isSmallerThan(Flood other) {
            return there < 0.7 * other.there && back < 0.7 * other.back;
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

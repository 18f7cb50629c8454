package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.wire.Preamble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How peers use connections that are not nodes of Muster. */
class OtherSystemsTest {
    private static AttackedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new AttackedCluster("others");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    /** When a connection breaks they open another one below their handshake, and go on with the next message. */
    @Test
    void whoIsKnownNeedNotIntroduceItselfAgain() {
        try (RawPeer peer = cluster.stranger().handshake();
                RawPeer again = RawPeer.inTheNameOf(peer.self, cluster.target()).connect()) {
            cluster.awaitHeard(peer);
            long dropped = cluster.counted("remote.frames-before-handshake");
            again.send(Preamble.of(Preamble.ORDINARY));
            cluster.awaitHeard(again);
            assertThat(cluster.counted("remote.frames-before-handshake")).isEqualTo(dropped);
        }
    }

    @Test
    void whoIsNotKnownIsNotHeard() {
        cluster.expectOneMore("remote.frames-before-handshake", () -> {
            try (RawPeer peer = cluster.stranger().connect()) {
                peer.send(Preamble.of(Preamble.ORDINARY));
                peer.send(RawPeer.frame(peer.self.uid(), 5, cluster.target() + "/user/nobody", "x", (byte) 1));
            }
        });
    }

    /** With several outbound lanes, messages for different actors take different connections of the same kind. */
    @Test
    void severalConnectionsForOneStreamStandBesideEachOther() {
        try (RawPeer peer = cluster.stranger().handshake();
                RawPeer one = RawPeer.inTheNameOf(peer.self, cluster.target());
                RawPeer other = RawPeer.inTheNameOf(peer.self, cluster.target())) {
            cluster.awaitHeard(peer);
            one.introduce(Preamble.ORDINARY);
            cluster.awaitHeard(one);
            other.introduce(Preamble.ORDINARY);
            cluster.awaitHeard(other);
            // For longer than a connection may be silent in whose place another one has come.
            assertThat(one.isClosedWithin(3_000)).isFalse();
            cluster.awaitHeard(one);
            cluster.awaitHeard(other);
        }
    }
}

package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.wire.ControlMessage;
import dev.muster.wire.Preamble;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Whatever is said to a node's port: it lives, its cluster stays as it was, one counter tells of it, and the connection
 * is closed or kept as docs/hostile-input.md says.
 */
class HostilePeersTest {
    private static AttackedCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new AttackedCluster("hostile");
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static NodeAddress target() {
        return cluster.target();
    }

    private static RawPeer peer() {
        return cluster.stranger();
    }

    private static String membership() {
        return cluster.membership();
    }

    private static void expectOneMore(String counter, Runnable hostility) {
        cluster.expectOneMore(counter, hostility);
    }

    private static void expectClosed(String counter, byte[]... sent) {
        cluster.expectClosed(counter, sent);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    // --- SEC-01

    @Test
    void aWebBrowserIsShownTheDoor() {
        expectClosed("remote.refused.bad-magic", ascii("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
    }

    @Test
    void aTlsClientAtAPlainPortIsShownTheDoor() {
        expectClosed("remote.refused.bad-magic", new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3});
    }

    @Test
    void anSshClientIsShownTheDoor() {
        expectClosed("remote.refused.bad-magic", ascii("SSH-2.0-OpenSSH_9.6\r\n"));
    }

    @Test
    void aStreamThatDoesNotExistIsRefused() {
        expectClosed("remote.refused.malformed", new byte[] {'A', 'K', 'K', 'A', 9});
    }

    // --- SEC-02

    @Test
    void lengthsThatCannotBeAreRefusedAtOnce() {
        for (int stream = Preamble.CONTROL; stream <= Preamble.LARGE; stream++) {
            byte[] preamble = Preamble.of(stream);
            expectClosed("remote.refused.malformed", preamble, new byte[4]);
            expectClosed("remote.refused.malformed", preamble, new byte[] {1, 0, 0, 0});
            expectClosed("remote.refused.malformed", preamble, new byte[] {-1, -1, -1, -1});
            expectClosed("remote.refused.too-large", preamble, new byte[] {-1, -1, -1, 0x7f});
        }
        expectClosed("remote.refused.too-large", Preamble.of(Preamble.CONTROL), new byte[] {1, 0, 4, 0});
    }

    // --- SEC-03

    @Test
    void whoSaysNothingIsNotKept() {
        expectOneMore("remote.refused.too-slow", () -> {
            try (RawPeer peer = peer().connect()) {
                peer.send(ascii("AKK"));
                assertThat(peer.isClosedWithin(15_000)).isTrue();
            }
        });
    }

    // --- SEC-06

    @Test
    void messagesThatNobodyUnderstandsAreDroppedAndTheConnectionIsKept() {
        try (RawPeer peer = peer().handshake()) {
            cluster.awaitHeard(peer);
            String someone = target() + "/user/nobody";
            expectOneMore(
                    "remote.unreadable-messages",
                    () -> peer.send(RawPeer.frame(peer.self.uid(), 987_654, someone, "x", (byte) 1)));
            expectOneMore(
                    "remote.unreadable-messages",
                    () -> peer.send(RawPeer.frame(peer.self.uid(), 33, someone, "no.such.Message", (byte) 1)));
            expectOneMore(
                    "remote.dropped.unknown-manifest",
                    () -> peer.send(RawPeer.frame(peer.self.uid(), 17, someone, "zz", (byte) 1)));
            expectOneMore(
                    "remote.dropped.bad-text",
                    () -> peer.send(RawPeer.frame(peer.self.uid(), 33, someone, "a\u001b[31mb\r\n", (byte) 1)));
            expectOneMore(
                    "remote.dropped.bad-text",
                    () -> peer.send(RawPeer.frame(peer.self.uid(), 33, someone, "m".repeat(65_000), (byte) 1)));
            expectOneMore(
                    "cluster.unreadable-messages",
                    () -> peer.send(RawPeer.frame(peer.self.uid(), 5, someone, "nonsense", (byte) 1)));
            cluster.awaitHeard(peer);
        }
    }

    // --- SEC-07, SEC-08, SEC-09

    @Test
    void aJavaStreamIsNothingButBytes() {
        expectClosed("remote.refused.bad-magic", new byte[] {(byte) 0xac, (byte) 0xed, 0, 5, 's', 'r'});
    }

    @Test
    void aHandshakeWithoutMeaningIsRefused() {
        byte[] nonsense = RawPeer.frame(7, 17, "", "d", (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff);
        expectClosed("remote.refused.malformed", Preamble.of(Preamble.CONTROL), nonsense);
    }

    // --- SEC-12, SEC-13

    @Test
    void aMessageBeforeTheHandshakeIsDropped() {
        expectOneMore("remote.frames-before-handshake", () -> {
            try (RawPeer peer = peer().connect()) {
                peer.send(Preamble.of(Preamble.CONTROL));
                peer.send(RawPeer.frame(7, 5, target() + "/system/cluster/core/daemon", "J", (byte) 1));
            }
        });
    }

    /** Other systems may begin a connection with an answer. Without a question it is nothing. */
    @Test
    void anAnswerThatNobodyAskedForIsDropped() {
        expectOneMore("remote.frames-before-handshake", () -> {
            try (RawPeer peer = peer().connect()) {
                peer.send(Preamble.of(Preamble.CONTROL));
                peer.send(peer.frame(new ControlMessage.HandshakeRsp(peer.self)));
            }
        });
    }

    @Test
    void anAnswerInSomebodyElsesNameIsRefused() {
        expectOneMore("remote.refused.wrong-sender", () -> {
            try (RawPeer peer = peer().connect()) {
                NodeId other = new NodeId(peer.self.address(), peer.self.uid() + 1);
                peer.send(Preamble.of(Preamble.CONTROL));
                peer.send(peer.frame(new ControlMessage.HandshakeRsp(other)));
                assertThat(peer.isClosedWithin(10_000)).isTrue();
            }
        });
    }

    @Test
    void aHandshakeInSomebodyElsesNameIsRefused() {
        expectOneMore("remote.refused.wrong-sender", () -> {
            try (RawPeer peer = peer().connect()) {
                NodeId other = new NodeId(peer.self.address(), peer.self.uid() + 1);
                peer.send(Preamble.of(Preamble.CONTROL));
                peer.send(peer.frame(new ControlMessage.HandshakeReq(other, target())));
                assertThat(peer.isClosedWithin(10_000)).isTrue();
            }
        });
    }

    /** The member is alive and says so when it is asked; nothing else changes. */
    @Test
    void aStrangerWithAMembersAddressDoesNotTakeItsPlace() {
        NodeAddress member = cluster.other().address();
        expectOneMore("remote.refused-incarnations", () -> {
            try (RawPeer peer = peer().connect()) {
                NodeId fake = new NodeId(member, peer.self.uid());
                peer.send(Preamble.of(Preamble.CONTROL));
                peer.send(peer.frame(new ControlMessage.HandshakeReq(fake, target())));
                peer.send(peer.frame(new ControlMessage.HandshakeRsp(fake)));
                cluster.await("the member has objected", () -> cluster.counted("remote.refused-incarnations") > 0);
            }
        });
    }

    // --- SEC-15

    @Test
    void anotherSystemIsNotTalkedTo() {
        expectOneMore("remote.handshakes-of-other-systems", () -> {
            try (RawPeer peer = peer().connect()) {
                NodeId other = new NodeId(
                        new NodeAddress(
                                "muster",
                                "elsewhere",
                                "127.0.0.1",
                                peer.self.address().port()),
                        peer.self.uid());
                peer.send(Preamble.of(Preamble.CONTROL));
                peer.send(peer.frame(new ControlMessage.HandshakeReq(other, target())));
                assertThat(peer.isClosedWithin(10_000)).isTrue();
            }
        });
    }

    @Test
    void aCallThatIsForSomebodyElseIsRefused() {
        expectOneMore("remote.handshakes-for-others", () -> {
            try (RawPeer peer = peer().connect()) {
                NodeAddress wrong = new NodeAddress("muster", "hostile", "example.org", target().port());
                peer.send(Preamble.of(Preamble.CONTROL));
                peer.send(peer.frame(new ControlMessage.HandshakeReq(peer.self, wrong)));
                assertThat(peer.isClosedWithin(10_000)).isTrue();
            }
        });
    }

    // --- SEC-07, SEC-24, SEC-26: many of them

    @Test
    void strangersWithoutEndMakeRoomForEachOtherAndLeaveNothingBehind() throws IOException {
        String members = membership();
        long descriptors = descriptors();
        List<Socket> strangers = new ArrayList<>();
        for (int i = 0; i < 1_100; i++) {
            strangers.add(new Socket(InetAddress.getLoopbackAddress(), target().port()));
        }
        cluster.await("the oldest were closed", () -> cluster.counted("remote.refused.too-many-connections") >= 76);
        for (Socket stranger : strangers) {
            stranger.close();
        }
        cluster.await("all descriptors are free again", () -> descriptors() <= descriptors + 4);
        assertThat(membership()).isEqualTo(members);
    }

    private static long descriptors() {
        return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
    }

    @Test
    void noiseOnSocketsIsCountedAndNotWrittenToTheLogWithoutEnd() throws IOException {
        String members = membership();
        int threads = Thread.activeCount();
        SplittableRandom random = new SplittableRandom(42);
        Logger logger = (Logger) LoggerFactory.getLogger("dev.muster.remote");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        long refused = refused();
        long begin = System.nanoTime();
        int sessions = 2_000;
        for (int i = 0; i < sessions; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), target().port())) {
                byte[] noise = new byte[64];
                random.nextBytes(noise);
                noise[3] = 1; // a length that no frame may have
                socket.getOutputStream().write(Preamble.of(1 + random.nextInt(3)));
                socket.getOutputStream().write(noise);
            }
        }
        cluster.await("all were refused", () -> refused() == refused + sessions);
        long seconds = (System.nanoTime() - begin) / 1_000_000_000L;
        logger.detachAppender(lines);
        assertThat(lines.list.size()).isLessThanOrEqualTo((int) (2 + seconds / 10));
        assertThat(membership()).isEqualTo(members);
        assertThat(Thread.activeCount()).isLessThanOrEqualTo(threads + 4);
    }

    private static long refused() {
        long sum = 0;
        for (Map.Entry<String, Long> counted : cluster.allCounters().entrySet()) {
            sum += counted.getKey().startsWith("remote.refused.") ? counted.getValue() : 0;
        }
        return sum;
    }
}

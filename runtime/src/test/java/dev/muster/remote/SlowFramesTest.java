package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSettings;
import dev.muster.actor.Behaviors;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.engine.ClusterNode;
import dev.muster.cluster.engine.Messages;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.discovery.Discovery;
import dev.muster.environment.Transport;
import dev.muster.serialization.ByteSink;
import dev.muster.serialization.Serialization;
import dev.muster.settings.NodeSettings;
import dev.muster.virtual.VirtualEnvironment;
import dev.muster.wire.ControlCodec;
import dev.muster.wire.ControlMessage;
import dev.muster.wire.Payload;
import dev.muster.wire.Preamble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Somebody who is known begins a frame and does not end it. Two whole nodes in virtual time, because the time that a
 * frame may take is longer than any test should.
 */
class SlowFramesTest {
    private static final String TOO_SLOW = "remote.refused.too-slow";
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final NodeAddress FIRST = NodeAddress.parse("muster://slow@127.0.0.1:2551");
    private static final NodeAddress SECOND_NODE = NodeAddress.parse("muster://slow@127.0.0.1:2552");
    private static final NodeId PEER = new NodeId(NodeAddress.parse("muster://slow@127.0.0.1:7777"), 77);

    private final Config config = ConfigFactory.load();
    private final Messages messages = new Messages(config);
    private final VirtualEnvironment environment = new VirtualEnvironment(42);
    private final SimulatedNetwork network =
            new SimulatedNetwork(environment.environment().timers(), new SplittableRandom(42));
    private final List<String> heard = new ArrayList<>();
    private ClusterNode attacked;
    private ClusterNode other;
    private ActorRef<String> receiver;

    @BeforeEach
    void twoNodesAndAPeerThatIsKnown() {
        LocalActorSystem system = system();
        attacked = node(system, FIRST);
        other = node(system(), SECOND_NODE);
        receiver = system.spawn(
                Behaviors.receive(String.class)
                        .on(String.class, (context, text) -> {
                            heard.add(text);
                            return Behaviors.same();
                        })
                        .build(),
                "receiver");
        assertThat(environment.runUntil(this::isWell, Duration.ofMinutes(1))).isTrue();
        var unused = network.listen("127.0.0.1", PEER.address().port(), incoming -> new Deaf());
        Line line = introduced(Preamble.CONTROL);
        line.write(frame(ControlCodec.encode(new ControlMessage.HandshakeRsp(PEER)), ""));
        pass(1);
        expectHeard(line, "the peer is known");
    }

    private LocalActorSystem system() {
        return LocalActorSystem.start("slow", ActorSettings.defaults(), environment.environment(), () -> {});
    }

    private ClusterNode node(LocalActorSystem system, NodeAddress address) {
        NodeSettings usual = NodeSettings.from(config, "slow");
        NodeSettings settings = new NodeSettings(
                RemoteSettings.defaults().withPort(address.port()),
                usual.cluster().withJoin(usual.cluster().join().withSeedNodes(List.of(FIRST))),
                usual.rejoin(),
                usual.discovery(),
                List.of());
        ClusterNode node = new ClusterNode(
                system, settings, messages, network, self -> Discovery.of(List.of(FIRST)), started -> {});
        system.setExtension(Cluster.class, node);
        node.begin();
        return node;
    }

    // --- SEC-03

    @Test
    void aFrameOfOneByteASecondEndsTheConnection() {
        for (int stream = Preamble.CONTROL; stream <= Preamble.LARGE; stream++) {
            Line line = introduced(stream);
            byte[] frame = text("one byte a second");
            long before = counted();

            for (int i = 0; i < 29; i++) {
                line.write(frame[i]);
                pass(1);
            }
            assertThat(line.isClosed).as("stream %s", stream).isFalse();
            assertThat(counted()).isEqualTo(before);
            for (int i = 29; i < 33; i++) {
                line.write(frame[i]);
                pass(1);
            }

            expectEnded(line, before);
        }
    }

    @Test
    void aFrameThatStopsInTheMiddleEndsTheConnection() {
        for (int stream = Preamble.CONTROL; stream <= Preamble.LARGE; stream++) {
            Line line = introduced(stream);
            byte[] frame = text("half a frame");
            long before = counted();

            // A good one before it gives it no more time.
            line.write(text("a whole one"));
            line.write(Arrays.copyOf(frame, frame.length / 2));
            pass(29);
            assertThat(line.isClosed).as("stream %s", stream).isFalse();
            pass(3);

            assertThat(heard).contains("a whole one");
            expectEnded(line, before);
        }
    }

    @Test
    void aSlowFrameThatEndsInTimeIsHeardAndSoIsTheNext() {
        for (int stream = Preamble.CONTROL; stream <= Preamble.LARGE; stream++) {
            Line line = introduced(stream);
            long before = counted();
            for (int round = 0; round < 3; round++) {
                byte[] frame = text("slow " + stream + round);
                int piece = 1 + frame.length / 25;
                for (int at = 0; at < frame.length; at += piece) {
                    line.write(Arrays.copyOfRange(frame, at, Math.min(at + piece, frame.length)));
                    pass(1);
                }
                assertThat(heard).contains("slow " + stream + round);
            }
            pass(60); // silence between two frames is no offence

            expectHeard(line, "still there on " + stream);
            assertThat(counted()).isEqualTo(before);
            assertThat(isWell()).isTrue();
        }
    }

    private void expectEnded(Line line, long countedBefore) {
        assertThat(line.isClosed).isTrue();
        assertThat(counted()).isEqualTo(countedBefore + 1);
        assertThat(heard).noneMatch(text -> text.equals("one byte a second") || text.equals("half a frame"));
        assertThat(isWell()).isTrue();
        ActorRef<?> remote = other.resolve(attacked.nameOf(receiver));
        tell(remote, "from the other node " + countedBefore);
        pass(1);
        assertThat(heard).contains("from the other node " + countedBefore);
    }

    @SuppressWarnings("unchecked")
    private static void tell(ActorRef<?> ref, String text) {
        ((ActorRef<String>) ref).tell(text);
    }

    private void expectHeard(Line line, String text) {
        line.write(text(text));
        pass(1);
        assertThat(line.isClosed).isFalse();
        assertThat(heard).contains(text);
    }

    private long counted() {
        return attacked.counters().getOrDefault(TOO_SLOW, 0L);
    }

    /** Both nodes are up, and neither misses the other. */
    private boolean isWell() {
        return isWell(attacked.snapshot().state()) && isWell(other.snapshot().state());
    }

    private static boolean isWell(ClusterState state) {
        return state.members().size() == 2
                && state.members().stream().allMatch(member -> member.status() == MemberStatus.UP)
                && state.unreachable().isEmpty();
    }

    private void pass(int seconds) {
        environment.advance(SECOND.multipliedBy(seconds));
    }

    // --- The peer

    private Line introduced(int stream) {
        Line line = new Line();
        var unused = network.connect("127.0.0.1", FIRST.port(), line);
        pass(1);
        line.write(Preamble.of(stream));
        line.write(frame(ControlCodec.encode(new ControlMessage.HandshakeReq(PEER, FIRST)), ""));
        pass(1);
        return line;
    }

    private byte[] text(String text) {
        ByteSink sink = new ByteSink();
        Serialization.Label label = messages.present().write(text, null, sink);
        byte[] bytes = Arrays.copyOf(sink.array(), sink.length());
        return frame(new Payload(label.serializerId(), label.manifest(), bytes), FIRST + "/user/receiver");
    }

    private static byte[] frame(Payload payload, String recipient) {
        return RawPeer.frame(PEER.uid(), payload.serializerId(), recipient, payload.manifest(), payload.bytes());
    }

    /** A connection of the peer's. */
    private static final class Line implements Transport.ConnectionUser {
        private Transport.Connection connection;
        private boolean isClosed;

        void write(byte... bytes) {
            boolean ignored = connection.write(bytes, 0, bytes.length);
        }

        @Override
        public void opened(Transport.Connection opened) {
            connection = opened;
        }

        @Override
        public void writable() {}

        @Override
        public void closed(String reason) {
            isClosed = true;
        }
    }

    private record Deaf() implements Transport.Receiver {
        @Override
        public void received(byte[] bytes, int length) {}

        @Override
        public void closed() {}
    }
}

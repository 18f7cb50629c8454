package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorSettings;
import dev.muster.actor.Behaviors;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.environment.Transport;
import dev.muster.environment.Transport.Receiver;
import dev.muster.serialization.ByteSink;
import dev.muster.serialization.Serialization;
import dev.muster.virtual.VirtualEnvironment;
import dev.muster.wire.ControlCodec;
import dev.muster.wire.ControlMessage;
import dev.muster.wire.Payload;
import dev.muster.wire.Preamble;
import dev.muster.wire.RemoteSystemMessage;
import dev.muster.wire.Selection;
import dev.muster.wire.SelectionCodec;
import dev.muster.wire.SystemMessageCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A million frames that began as good ones. A mistake of the node would be counted as one; there must be none, and
 * nothing may be left over.
 */
class FuzzedFramesTest {
    private static final int FRAMES = Integer.getInteger("muster.test.frames", 1_000_000);
    private static final int FRAMES_PER_CONNECTION = 40;
    private static final long SEED = Long.getLong("muster.test.seed", 4_711L);

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final VirtualEnvironment environment = new VirtualEnvironment(SEED);
    private final SimulatedNetwork network =
            new SimulatedNetwork(environment.environment().timers(), random.split());
    private final Counters counters = new Counters();
    private final Serialization serialization = Serialization.from(ConfigFactory.load());
    private final NodeId peer = new NodeId(new NodeAddress("muster", "fuzz", "127.0.0.1", 7_777), 77);
    private NoConnection latest;
    private int connections;
    private int coreMessages;
    private int delivered;
    private Remoting remoting;

    private final class Ignoring implements RemotingUser {
        @Override
        public void coreMessage(NodeId from, String manifest, byte[] payload, long receivedAtNanos) {
            coreMessages++;
        }

        @Override
        public void peerProved(NodeId proved) {}

        @Override
        public void quarantined(NodeId gone, String reason) {}

        @Override
        public void quarantinedBy(NodeId by) {}
    }

    /** A connection that nobody is at the other end of. */
    private static final class NoConnection implements Transport.Incoming {
        boolean isClosed;

        @Override
        public String peer() {
            return "/127.0.0.1:60000";
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public boolean provesToBe(String host) {
            return true;
        }

        @Override
        public void pause() {}

        @Override
        public void resume() {}

        @Override
        public void close() {
            isClosed = true;
        }
    }

    @Test
    void aMillionFramesHarmNobody() {
        LocalActorSystem system =
                LocalActorSystem.start("fuzz", ActorSettings.defaults(), environment.environment(), () -> {});
        remoting = Remoting.start(
                system,
                RemoteSettings.defaults().withPort(2_551),
                network,
                () -> serialization,
                counters,
                environment.environment().dispatchers().named("internal"),
                1,
                new Ignoring());
        var receiver = system.spawn(
                Behaviors.receive(String.class)
                        .on(String.class, (context, text) -> {
                            delivered++;
                            return Behaviors.same();
                        })
                        .build(),
                "receiver");
        var unused = network.listen("127.0.0.1", 7_777, incoming -> new Deaf());
        prove();
        List<byte[]> good = goodFrames();
        run(good, FRAMES / 10);
        long heapBefore = heap();
        int threadsBefore = Thread.activeCount();

        run(good, FRAMES - FRAMES / 10);

        Map<String, Long> counted = new TreeMap<>(counters.read());
        System.out.println("fuzz: " + FRAMES + " frames on " + connections + " connections, " + delivered
                + " delivered, " + coreMessages + " for the core, heap " + heapBefore / 1024 + " -> " + heap() / 1024
                + " KiB, " + counted);
        assertThat(counted).doesNotContainKey("remote.refused.mistake");
        assertThat(counted.keySet()).contains("remote.refused.malformed", "remote.refused.wrong-sender");
        assertThat(heap()).isLessThan(heapBefore + heapBefore / 20 + 1024 * 1024);
        // Threads of tests before this one may end meanwhile; none may come.
        assertThat(Thread.activeCount()).isLessThanOrEqualTo(threadsBefore);
        assertThat(receiver.path().name()).isEqualTo("receiver");
        // And it still listens to those who speak well.
        int before = delivered;
        Receiver line = open(Preamble.ORDINARY);
        byte[] message = text("well");
        line.received(message, message.length);
        environment.advance(Duration.ofSeconds(2));
        assertThat(delivered).isEqualTo(before + 1);
    }

    private record Deaf() implements Receiver {
        @Override
        public void received(byte[] bytes, int length) {}

        @Override
        public void closed() {}
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void prove() {
        Receiver line = open(Preamble.CONTROL);
        environment.advance(Duration.ofSeconds(1));
        byte[] answer = frame(ControlCodec.encode(new ControlMessage.HandshakeRsp(peer)), "", "");
        line.received(answer, answer.length);
        environment.advance(Duration.ofSeconds(1));
        line.closed();
    }

    private Receiver open(int stream) {
        latest = new NoConnection();
        Receiver line = network.acceptorAt("127.0.0.1", 2_551).accepted(latest);
        byte[] preamble = Preamble.of(stream);
        line.received(preamble, preamble.length);
        byte[] hello = frame(
                ControlCodec.encode(
                        new ControlMessage.HandshakeReq(peer, remoting.self().address())),
                "",
                "");
        line.received(hello, hello.length);
        return line;
    }

    /** Each frame is spoken to somebody who listens: where one has ended a connection, the next comes on another. */
    private void run(List<byte[]> good, int frames) {
        Receiver line = null;
        int onThisLine = 0;
        for (int done = 0; done < frames; done++) {
            if (line == null || latest.isClosed || onThisLine == FRAMES_PER_CONNECTION) {
                if (line != null) {
                    line.closed();
                }
                line = open(1 + random.nextInt(3));
                onThisLine = 0;
                connections++;
            }
            feed(line, mutated(good));
            environment.runUntilIdle();
            onThisLine++;
            if (done % 1_000 == 0) {
                environment.advance(Duration.ofMillis(100));
            }
        }
        line.closed();
        environment.advance(Duration.ofSeconds(60));
    }

    private void feed(Receiver line, byte[] bytes) {
        int at = 0;
        while (at < bytes.length) {
            int length = Math.min(bytes.length - at, 1 + random.nextInt(4_000));
            byte[] piece = java.util.Arrays.copyOfRange(bytes, at, at + length);
            line.received(piece, length);
            at += length;
        }
    }

    // --- Frames

    private byte[] mutated(List<byte[]> good) {
        byte[] frame = good.get(random.nextInt(good.size())).clone();
        switch (random.nextInt(8)) {
            case 0 -> {} // good
            case 1 -> flip(frame, 4, frame.length); // a bit anywhere behind the length
            case 2 -> flip(frame, Math.min(32, frame.length - 1), frame.length); // in labels and payload
            case 3 -> frame[random.nextInt(4)] = (byte) random.nextInt(256); // a lie about the length
            case 4 -> frame = resized(frame, -1 - random.nextInt(Math.min(20, frame.length - 33)));
            case 5 -> frame = resized(frame, 1 + random.nextInt(20));
            case 6 -> { // another serializer
                frame[16] = (byte) random.nextInt(40);
                frame[17] = (byte) random.nextInt(2);
            }
            default -> { // the tail of another one
                byte[] other = good.get(random.nextInt(good.size()));
                int from = 32 + random.nextInt(frame.length - 32);
                for (int i = from; i < Math.min(frame.length, other.length); i++) {
                    frame[i] = other[i];
                }
            }
        }
        return frame;
    }

    private void flip(byte[] frame, int from, int to) {
        for (int i = random.nextInt(4); i >= 0; i--) {
            frame[from + random.nextInt(to - from)] ^= (byte) (1 << random.nextInt(8));
        }
    }

    private static byte[] resized(byte[] frame, int by) {
        byte[] other = java.util.Arrays.copyOf(frame, frame.length + by);
        int length = other.length - 4;
        for (int i = 0; i < 4; i++) {
            other[i] = (byte) (length >>> 8 * i);
        }
        return other;
    }

    private byte[] frame(Payload payload, String sender, String recipient) {
        return RawPeer.frame(
                peer.uid(), payload.serializerId(), sender, recipient, payload.manifest(), payload.bytes());
    }

    private byte[] text(String text) {
        ByteSink sink = new ByteSink();
        Serialization.Label label = serialization.write(text, null, sink);
        return frame(
                new Payload(
                        label.serializerId(), label.manifest(), java.util.Arrays.copyOf(sink.array(), sink.length())),
                peer.address() + "/user/sender#1",
                remoting.self().address() + "/user/receiver");
    }

    private List<byte[]> goodFrames() {
        String here = remoting.self().address().toString();
        String there = peer.address().toString();
        List<ControlMessage> control = new ArrayList<>();
        NodeId self = remoting.self();
        control.add(new ControlMessage.HandshakeReq(peer, self.address()));
        control.add(new ControlMessage.HandshakeRsp(peer));
        control.add(new ControlMessage.Terminating(peer));
        control.add(new ControlMessage.TerminatingAck(peer));
        control.add(new ControlMessage.RefTable(peer, self.uid(), 1, new TreeMap<>(Map.of(there + "/user/a", 0))));
        control.add(new ControlMessage.RefTableAck(peer, 1));
        control.add(new ControlMessage.ManifestTable(peer, self.uid(), 1, new TreeMap<>(Map.of("m", 0))));
        control.add(new ControlMessage.ManifestTableAck(peer, 1));
        control.add(new ControlMessage.SystemAck(3, peer));
        control.add(new ControlMessage.SystemNack(3, peer));
        control.add(new ControlMessage.WatcherHeartbeat());
        control.add(new ControlMessage.WatcherHeartbeatReply(peer.uid()));
        control.add(new ControlMessage.Flush());
        control.add(new ControlMessage.FlushAck(1));
        List<RemoteSystemMessage> system = List.of(
                new RemoteSystemMessage.Watch(here + "/user/receiver", there + RemoteWatching.WATCHER),
                new RemoteSystemMessage.Unwatch(here + "/user/receiver", there + RemoteWatching.WATCHER),
                new RemoteSystemMessage.DeathWatchNotification(there + "/user/a#1", true, false));
        for (int i = 0; i < 9; i++) {
            control.add(new ControlMessage.SystemEnvelope(SystemMessageCodec.encode(system.get(i % 3)), 1 + i, peer));
        }
        List<byte[]> good = new ArrayList<>();
        for (ControlMessage message : control) {
            good.add(frame(ControlCodec.encode(message), there + "/system/x", here + RemoteWatching.WATCHER));
        }
        good.add(text("a word"));
        good.add(text("a longer word than the one before"));
        Payload heartbeat = new Payload(5, "HB", new byte[] {10, 4, 1, 2, 3, 4});
        good.add(frame(heartbeat, there + "/system/cluster", here + "/system/cluster"));
        for (Payload enclosed : List.of(heartbeat, ControlCodec.encode(new ControlMessage.WatcherHeartbeat()))) {
            Selection selection = new Selection(enclosed, List.of(Selection.Element.child("system")), false);
            good.add(frame(SelectionCodec.encode(selection), there + "/system/x", here + "/"));
        }
        return good;
    }
}

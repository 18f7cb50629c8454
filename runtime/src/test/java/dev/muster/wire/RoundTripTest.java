package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.GossipMessage.GossipState;
import dev.muster.core.exchange.GossipMessage.GossipStatus;
import dev.muster.core.exchange.JoinMessage.Welcome;
import dev.muster.core.handoff.GateMessage;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import org.junit.jupiter.api.Test;

/** Whatever is written is read as what it was, wherever in a buffer it stands. */
class RoundTripTest {
    private final Samples samples = new Samples(4_711);

    @Test
    void coreMessagesComeBackAsTheyWere() {
        for (int i = 0; i < 3_000; i++) {
            CoreMessage message = samples.coreMessage(1 + samples.random().nextInt(12));
            assertSame(readBack(samples.node(), samples.node(), message), message);
        }
    }

    @Test
    void statesOfManyMembersComeBackAsTheyWere() {
        for (int size : new int[] {0, 1, 2, 63, 64, 65, 127, 128, 129, 300, 1_000, 3_000}) {
            CoreMessage message = new GossipState(samples.node(), samples.state(size));
            assertSame(readBack(samples.node(), samples.node(), message), message);
            CoreMessage welcome = new Welcome(samples.node(), samples.state(size));
            assertSame(readBack(samples.node(), samples.node(), welcome), welcome);
        }
    }

    @Test
    void oneStateIsWrittenForManyAndReadByMany() {
        NodeId from = samples.node();
        ClusterCodec codec = Samples.codec(from);
        ClusterState state = samples.state(40);
        ClusterState other = samples.state(30);
        for (int i = 0; i < 50; i++) {
            NodeId to = samples.node();
            CoreMessage message = i % 7 == 0
                    ? new Welcome(to, i % 3 == 0 ? other : state)
                    : new GossipState(to, i % 5 == 0 ? other : state);
            Payload payload = codec.encode(message, to.address());
            assertSame(read(Samples.codec(to), from, payload), message);
        }
    }

    @Test
    void dialectsOfOthersCarryAllOfOurOwnAsWell() {
        for (String protocol : new String[] {"muster", "pekko", "akka"}) {
            NodeId from = new NodeId(new NodeAddress(protocol, "Sys", "a", 1), 1);
            NodeId to = new NodeId(new NodeAddress(protocol, "Sys", "b", 1), 2);
            for (int i = 0; i < 300; i++) {
                CoreMessage message = samples.coreMessage(2);
                assertSame(readBack(from, to, message), message);
            }
        }
    }

    @Test
    void messagesOfRemotingComeBackAsTheyWere() {
        for (int i = 0; i < 5_000; i++) {
            ControlMessage control = samples.controlMessage();
            Payload payload = ControlCodec.encode(control);
            assertThat(ControlCodec.decode(payload.manifest(), moved(payload), 5, payload.bytes().length))
                    .isEqualTo(control);

            RemoteSystemMessage system = samples.systemMessage();
            payload = SystemMessageCodec.encode(system);
            assertThat(SystemMessageCodec.decode(moved(payload), 5, payload.bytes().length))
                    .isEqualTo(system);

            Selection selection = samples.selection();
            payload = SelectionCodec.encode(selection);
            assertThat(SelectionCodec.decode(moved(payload), 5, payload.bytes().length))
                    .isEqualTo(selection);

            MiscMessage misc = samples.miscMessage();
            payload = MiscCodec.encode(misc);
            assertThat(MiscCodec.decode(payload.manifest(), moved(payload), 5, payload.bytes().length))
                    .isEqualTo(misc);
        }
    }

    @Test
    void whatGatesSayComesBackAsItWas() {
        for (int i = 0; i < 3_000; i++) {
            long uid = samples.uid();
            GateMessage<GateLetter> message = samples.gateMessage();
            Payload payload = GateCodec.encode(uid, message, letter -> letter);
            GateCodec.Received<GateLetter> read =
                    GateCodec.decode(payload.manifest(), moved(payload), 5, payload.bytes().length, letter -> letter);
            assertThat(read.toUid()).isEqualTo(uid);
            assertSame(read.message(), message);
        }
        Payload state = new Payload(33, "Books.Ledger", new byte[] {1, 2, 3});
        assertThat(GateCodec.decodeState(GateCodec.encodeState(state))).isEqualTo(state);
    }

    private static CoreMessage readBack(NodeId from, NodeId to, CoreMessage message) {
        return read(Samples.codec(to), from, Samples.codec(from).encode(message, to.address()));
    }

    private static CoreMessage read(ClusterCodec codec, NodeId from, Payload payload) {
        ClusterMessage read = codec.decode(from, payload.manifest(), moved(payload), 5, payload.bytes().length);
        assertThat(((ClusterMessage.Core) read).claimedFrom()).isEqualTo(from);
        return ((ClusterMessage.Core) read).message();
    }

    /** Payloads stand in the middle of a frame. */
    private static byte[] moved(Payload payload) {
        byte[] frame = new byte[payload.bytes().length + 12];
        System.arraycopy(payload.bytes(), 0, frame, 5, payload.bytes().length);
        return frame;
    }

    /** Arrays have no equality by content. */
    private static void assertSame(GateMessage<GateLetter> read, GateMessage<GateLetter> written) {
        if (written instanceof GateMessage.Handed<GateLetter> handed
                && handed.item() instanceof GateMessage.Item.StatePart<GateLetter> part) {
            GateMessage.Handed<GateLetter> back = (GateMessage.Handed<GateLetter>) read;
            GateMessage.Item.StatePart<GateLetter> backPart = (GateMessage.Item.StatePart<GateLetter>) back.item();
            assertThat(back.move()).isEqualTo(handed.move());
            assertThat(back.number()).isEqualTo(handed.number());
            assertThat(backPart.bytes()).isEqualTo(part.bytes());
            assertThat(backPart.isLast()).isEqualTo(part.isLast());
        } else {
            assertThat(read).isEqualTo(written);
        }
    }

    /** Digests have no equality of their own, because they match what is unknown. */
    private static void assertSame(CoreMessage read, CoreMessage written) {
        if (written instanceof GossipStatus status) {
            GossipStatus back = (GossipStatus) read;
            assertThat(back.to()).isEqualTo(status.to());
            assertThat(back.version()).isEqualTo(status.version());
            assertThat(back.seenDigest().hex()).isEqualTo(status.seenDigest().hex());
        } else {
            assertThat(read).isEqualTo(written);
        }
    }
}

package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.state.NodeId;
import dev.muster.wire.proto.ActorSystemMessage;
import dev.muster.wire.proto.ArrivalMessage;
import dev.muster.wire.proto.AskLoadMessage;
import dev.muster.wire.proto.CannotStartMessage;
import dev.muster.wire.proto.ClusterAddress;
import dev.muster.wire.proto.ClusterNode;
import dev.muster.wire.proto.CompressionTable;
import dev.muster.wire.proto.CompressionTableAck;
import dev.muster.wire.proto.ConfirmedMessage;
import dev.muster.wire.proto.DrainingMessage;
import dev.muster.wire.proto.EndPartitionMessage;
import dev.muster.wire.proto.EndedMessage;
import dev.muster.wire.proto.FlushAnswer;
import dev.muster.wire.proto.FromNode;
import dev.muster.wire.proto.Gossip;
import dev.muster.wire.proto.GossipEnvelope;
import dev.muster.wire.proto.GossipStatusMessage;
import dev.muster.wire.proto.HandedMessage;
import dev.muster.wire.proto.HandshakeRequest;
import dev.muster.wire.proto.HeartbeatAnswer;
import dev.muster.wire.proto.HeartbeatRequest;
import dev.muster.wire.proto.IdentifyAnswer;
import dev.muster.wire.proto.IdentifyRequest;
import dev.muster.wire.proto.InstanceEndedMessage;
import dev.muster.wire.proto.InstanceState;
import dev.muster.wire.proto.JoinRequest;
import dev.muster.wire.proto.LoadSamplesMessage;
import dev.muster.wire.proto.MoveMessage;
import dev.muster.wire.proto.PassedOnMessage;
import dev.muster.wire.proto.PleaseLeaveMessage;
import dev.muster.wire.proto.QuarantinedMessage;
import dev.muster.wire.proto.RefusedPartitionMessage;
import dev.muster.wire.proto.SeedContactMessage;
import dev.muster.wire.proto.SeedWelcomesMessage;
import dev.muster.wire.proto.SelectionEnvelope;
import dev.muster.wire.proto.SystemMessageAck;
import dev.muster.wire.proto.SystemMessageEnvelope;
import dev.muster.wire.proto.TablePartsMessage;
import dev.muster.wire.proto.TableRowsMessage;
import dev.muster.wire.proto.TableStatusMessage;
import dev.muster.wire.proto.WantMoveMessage;
import dev.muster.wire.proto.WantPartitionMessage;
import dev.muster.wire.proto.WantRebalanceMessage;
import dev.muster.wire.proto.WatcherHeartbeatAnswer;
import dev.muster.wire.proto.WelcomeMessage;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The schemas are the documentation, the codecs are written by hand: here the two are held against each other. What a
 * codec writes is read by the parser that was made from the schema, and written again, byte for byte the same.
 */
class SchemaAgreementTest {
    private static final Map<String, Parser<? extends Message>> CONTROL = Map.ofEntries(
            Map.entry("a", QuarantinedMessage.parser()),
            Map.entry("b", FromNode.parser()),
            Map.entry("c", FromNode.parser()),
            Map.entry("d", HandshakeRequest.parser()),
            Map.entry("e", FromNode.parser()),
            Map.entry("f", CompressionTable.parser()),
            Map.entry("g", CompressionTableAck.parser()),
            Map.entry("h", CompressionTable.parser()),
            Map.entry("i", CompressionTableAck.parser()),
            Map.entry("j", SystemMessageEnvelope.parser()),
            Map.entry("k", SystemMessageAck.parser()),
            Map.entry("l", SystemMessageAck.parser()),
            Map.entry("n", WatcherHeartbeatAnswer.parser()),
            Map.entry("p", FlushAnswer.parser()));

    private static final Map<String, Parser<? extends Message>> CLUSTER = Map.ofEntries(
            Map.entry("IJ", SeedContactMessage.parser()),
            Map.entry("IJA", SeedWelcomesMessage.parser()),
            Map.entry("IJN", ClusterAddress.parser()),
            Map.entry("J", JoinRequest.parser()),
            Map.entry("GE", GossipEnvelope.parser()),
            Map.entry("GS", GossipStatusMessage.parser()),
            Map.entry("HB", HeartbeatRequest.parser()),
            Map.entry("HBR", HeartbeatAnswer.parser()),
            Map.entry("EC", ClusterNode.parser()),
            Map.entry("TS", TableStatusMessage.parser()),
            Map.entry("TP", TablePartsMessage.parser()),
            Map.entry("TR", TableRowsMessage.parser()),
            Map.entry("TW", WantPartitionMessage.parser()),
            Map.entry("TE", EndPartitionMessage.parser()),
            Map.entry("TX", RefusedPartitionMessage.parser()),
            Map.entry("TI", InstanceEndedMessage.parser()),
            Map.entry("TC", CannotStartMessage.parser()),
            Map.entry("TG", WantMoveMessage.parser()),
            Map.entry("TB", WantRebalanceMessage.parser()),
            Map.entry("TD", DrainingMessage.parser()),
            Map.entry("TL", PleaseLeaveMessage.parser()),
            Map.entry("LS", LoadSamplesMessage.parser()),
            Map.entry("LA", AskLoadMessage.parser()));

    private static final Map<String, Parser<? extends Message>> GATE = Map.ofEntries(
            Map.entry("HI", HandedMessage.parser()),
            Map.entry("HC", ConfirmedMessage.parser()),
            Map.entry("HE", EndedMessage.parser()),
            Map.entry("HA", MoveMessage.parser()),
            Map.entry("HS", MoveMessage.parser()),
            Map.entry("HR", MoveMessage.parser()),
            Map.entry("HQ", ArrivalMessage.parser()),
            Map.entry("HD", ArrivalMessage.parser()),
            Map.entry("HP", PassedOnMessage.parser()));

    private final Samples samples = new Samples(815);

    @Test
    void messagesOfRemotingFollowTheirSchema() throws InvalidProtocolBufferException {
        for (int i = 0; i < 2_000; i++) {
            Payload control = ControlCodec.encode(samples.controlMessage());
            if (control.bytes().length > 0) {
                assertAgree(CONTROL.get(control.manifest()), control.bytes());
            }
            assertAgree(
                    ActorSystemMessage.parser(),
                    SystemMessageCodec.encode(samples.systemMessage()).bytes());
            assertAgree(
                    SelectionEnvelope.parser(),
                    SelectionCodec.encode(samples.selection()).bytes());
            Payload misc = MiscCodec.encode(samples.miscMessage());
            assertAgree(misc.manifest().equals("A") ? IdentifyRequest.parser() : IdentifyAnswer.parser(), misc.bytes());
        }
    }

    @Test
    void whatGatesSayFollowsItsSchema() throws InvalidProtocolBufferException {
        for (int i = 0; i < 2_000; i++) {
            Payload gate = GateCodec.encode(samples.uid(), samples.gateMessage(), letter -> letter);
            assertAgree(GATE.get(gate.manifest()), gate.bytes());
        }
        Payload state = new Payload(33, "Books.Ledger", new byte[] {1, 2, 3});
        assertAgree(InstanceState.parser(), GateCodec.encodeState(state));
    }

    @Test
    void messagesOfTheClusterFollowTheirSchema() throws InvalidProtocolBufferException {
        for (int i = 0; i < 2_000; i++) {
            NodeId self = samples.node();
            CoreMessage message = samples.coreMessage(1 + samples.random().nextInt(200));
            Payload payload = Samples.codec(self).encode(message, samples.address());
            if (payload.manifest().equals("W")) {
                assertWelcomeAgrees(payload.bytes());
            } else {
                assertAgree(CLUSTER.get(payload.manifest()), payload.bytes());
            }
            if (payload.manifest().equals("GE")) {
                byte[] zipped = GossipEnvelope.parseFrom(payload.bytes())
                        .getZippedGossip()
                        .toByteArray();
                assertAgree(Gossip.parser(), unzipped(zipped));
            }
        }
    }

    /** Its fields come in another order, so that the state is zipped only once. */
    private static void assertWelcomeAgrees(byte[] zipped) throws InvalidProtocolBufferException {
        byte[] bytes = unzipped(zipped);
        WelcomeMessage welcome = WelcomeMessage.parseFrom(bytes);
        assertThat(welcome.getUnknownFields().asMap()).isEmpty();
        assertThat(welcome.toByteArray()).hasSameSizeAs(bytes);
        assertAgree(Gossip.parser(), welcome.getGossip().toByteArray());
    }

    private static byte[] unzipped(byte[] zipped) {
        return BoundedGzip.unzip(zipped, 0, zipped.length, BoundedGzip.MOST_BYTES, BoundedGzip.MOST_RATIO);
    }

    private static void assertAgree(Parser<? extends Message> parser, byte[] bytes)
            throws InvalidProtocolBufferException {
        Message parsed = parser.parseFrom(bytes);
        assertThat(parsed.getUnknownFields().asMap()).isEmpty();
        assertThat(parsed.toByteArray()).isEqualTo(bytes);
    }
}

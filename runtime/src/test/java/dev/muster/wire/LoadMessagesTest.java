package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.exchange.LoadMessage.AskLoad;
import dev.muster.core.exchange.LoadMessage.LoadSamples;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.wire.WireException.Reason;
import dev.muster.wire.proto.AskLoadMessage;
import dev.muster.wire.proto.ClusterAddress;
import dev.muster.wire.proto.ClusterNode;
import dev.muster.wire.proto.LoadSamplesMessage;
import dev.muster.wire.proto.NodeLoadMailbox;
import dev.muster.wire.proto.NodeLoadSample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What somebody may put into a message about load, and how large an honest one gets. */
class LoadMessagesTest {
    private static final NodeId SELF = new NodeId(NodeAddress.parse("muster://Sys@self:1"), 1);
    private static final NodeId PEER = new NodeId(NodeAddress.parse("muster://Sys@peer:2"), 2);

    private final ClusterCodec codec = Samples.codec(SELF);

    @Test
    void onlyWhoSaysItMaySayIt() {
        for (Payload lie : List.of(
                Samples.codec(SELF).encode(new AskLoad(SELF), SELF.address()),
                Samples.codec(SELF).encode(new LoadSamples(SELF, List.of()), SELF.address()))) {
            assertRefused(lie.manifest(), lie.bytes(), Reason.WRONG_SENDER, "");
        }
    }

    @Test
    void whatMustBeThereIsMissed() {
        assertSampleRefused(NodeLoadSample.Builder::clearNode, Reason.MALFORMED, "node is missing");
        assertSampleRefused(NodeLoadSample.Builder::clearSequence, Reason.MALFORMED, "must not be negative, was -1");
        assertSampleRefused(NodeLoadSample.Builder::clearCpuLoad, Reason.MALFORMED, "between 0 and 1, was NaN");
        assertSampleRefused(NodeLoadSample.Builder::clearGcShare, Reason.MALFORMED, "between 0 and 1, was NaN");
        assertSampleRefused(NodeLoadSample.Builder::clearWaiting, Reason.MALFORMED, "1099511627776, was -1");
        assertSampleRefused(it -> it.getBusiestBuilder(0).clearPath(), Reason.MALFORMED, "path is missing");
        assertSampleRefused(it -> it.getBusiestBuilder(0).clearWaiting(), Reason.MALFORMED, "was -1");
        assertRefused("LA", new byte[0], Reason.MALFORMED, "to is missing");
        byte[] fromNobody =
                AskLoadMessage.newBuilder().setTo(proto(SELF)).buildPartial().toByteArray();
        assertRefused("LA", fromNobody, Reason.MALFORMED, "from is missing");
    }

    @Test
    void numbersMustBePossible() {
        assertSampleRefused(it -> it.setSequence(Long.MIN_VALUE), Reason.MALFORMED, "must not be negative");
        assertSampleRefused(it -> it.setCpuLoad(1.01), Reason.MALFORMED, "between 0 and 1, was 1.01");
        assertSampleRefused(it -> it.setGcShare(Double.NaN), Reason.MALFORMED, "between 0 and 1, was NaN");
        assertSampleRefused(it -> it.setGcShare(Double.NEGATIVE_INFINITY), Reason.MALFORMED, "was -Infinity");
        assertSampleRefused(it -> it.setWaiting(4), Reason.MALFORMED, "which are 5, was 4");
        assertSampleRefused(it -> it.setWaiting(Long.MAX_VALUE), Reason.MALFORMED, "must be from 0 to");
        assertSampleRefused(it -> it.getBusiestBuilder(0).setWaiting(-5), Reason.MALFORMED, "was -5");
        assertSampleRefused(it -> it.addBusiest(it.getBusiest(0)).setWaiting(10), Reason.MALFORMED, "twice");
    }

    @Test
    void pathsMustBePaths() {
        assertSampleRefused(it -> it.getBusiestBuilder(0).setPath("a//b"), Reason.MALFORMED, "empty name");
        assertSampleRefused(it -> it.getBusiestBuilder(0).setPath("a\nb"), Reason.BAD_TEXT, "path");
        assertSampleRefused(it -> it.getBusiestBuilder(0).setPath("a".repeat(257)), Reason.TOO_LARGE, "was 257");
    }

    @Test
    void thereAreNotMoreThanMakesSense() {
        assertSampleRefused(
                it -> {
                    for (int i = 0; i < LoadSample.MOST_NAMED; i++) {
                        it.addBusiest(
                                NodeLoadMailbox.newBuilder().setPath("p/" + i).setWaiting(1));
                    }
                },
                Reason.TOO_LARGE,
                "the number of busiest partitions may be at most 16, was 17");
        LoadSamplesMessage.Builder many = message();
        for (int i = 0; i < 1_001; i++) {
            many.addSamples(sample());
        }
        assertRefused("LS", many.build().toByteArray(), Reason.TOO_LARGE, "at most 1000, was 1001");
    }

    @Test
    void aShareThatIsCutOffIsNoShare() {
        byte[] whole = message().addSamples(sample().clearBusiest()).build().toByteArray();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            try {
                codec.decode(PEER, "LS", cut, 0, length);
            } catch (WireException expected) {
                continue;
            }
            // The one place where a message may end: before the samples.
            assertThat(length).isEqualTo(message().build().getSerializedSize());
        }
    }

    @Test
    void unknownKindsAreRefused() {
        assertRefused("LX", message().build().toByteArray(), Reason.UNKNOWN_MANIFEST, "LX");
    }

    @Test
    void fieldsOfLaterVersionsArePassedOver() {
        byte[] asked = AskLoadMessage.newBuilder()
                .setFrom(proto(PEER))
                .setTo(proto(SELF))
                .build()
                .toByteArray();
        byte[] longer = Arrays.copyOf(asked, asked.length + 2);
        longer[asked.length] = 3 << 3; // a number, where samples have samples
        longer[asked.length + 1] = 7;

        ClusterMessage read = codec.decode(PEER, "LA", longer, 0, longer.length);

        assertThat(((ClusterMessage.Core) read).message()).isEqualTo(new AskLoad(SELF));
    }

    @Test
    void aSampleTakesNoMoreThanCoresReckon() {
        TreeMap<PartitionPath, Long> mailboxes = new TreeMap<>();
        for (int i = 0; i < LoadSample.MOST_NAMED; i++) {
            mailboxes.put(new PartitionPath("p".repeat(240) + "/" + i), LoadSample.MOST_WAITING / 16);
        }
        NodeId node = new NodeId(new NodeAddress("muster", "orders", "h".repeat(200), 65_535), -1);
        List<LoadSample> samples = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            samples.add(LoadSample.of(node, Long.MAX_VALUE, 0.5, 0.5, mailboxes));
        }

        int bytes = codec.encode(new LoadSamples(PEER, samples), PEER.address()).bytes().length;

        // 80 and the names of the node, and for each mailbox 16 and its path.
        int reckoned = 80 + "muster".length() + "orders".length() + 200;
        for (PartitionPath path : mailboxes.keySet()) {
            reckoned += 16 + path.text().length();
        }
        assertThat(bytes).isLessThanOrEqualTo(100 * reckoned);
    }

    private void assertSampleRefused(Consumer<NodeLoadSample.Builder> change, Reason reason, String why) {
        NodeLoadSample.Builder sample = sample();
        change.accept(sample);
        assertRefused(
                "LS", message().addSamples(sample.buildPartial()).buildPartial().toByteArray(), reason, why);
    }

    private void assertRefused(String manifest, byte[] bytes, Reason reason, String why) {
        assertThatThrownBy(() -> codec.decode(PEER, manifest, bytes, 0, bytes.length))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(why);
    }

    private static LoadSamplesMessage.Builder message() {
        return LoadSamplesMessage.newBuilder().setFrom(proto(PEER)).setTo(proto(SELF));
    }

    private static NodeLoadSample.Builder sample() {
        return NodeLoadSample.newBuilder()
                .setNode(proto(PEER))
                .setSequence(7)
                .setCpuLoad(0.25)
                .setGcShare(0)
                .setWaiting(6)
                .addBusiest(NodeLoadMailbox.newBuilder().setPath("orders/eu").setWaiting(5));
    }

    private static ClusterNode proto(NodeId node) {
        return ClusterNode.newBuilder()
                .setAddress(ClusterAddress.newBuilder()
                        .setSystem(node.address().system())
                        .setHostname(node.address().host())
                        .setPort(node.address().port())
                        .setProtocol(node.address().protocol()))
                .setUidLow((int) node.uid())
                .setUidHigh((int) (node.uid() >>> 32))
                .build();
    }
}

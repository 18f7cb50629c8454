package dev.muster.wire;

import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.NodeId;

/** Messages about load as bytes. The schema is {@code partitions.proto}. */
final class LoadWriter {
    private final NodeId self;

    LoadWriter(NodeId self) {
        this.self = self;
    }

    Payload write(LoadMessage message) {
        ProtoWriter out = new ProtoWriter(256);
        ClusterNodes.writeNode(out, 1, self);
        ClusterNodes.writeNode(out, 2, message.to());
        String manifest = "LA";
        if (message instanceof LoadMessage.LoadSamples samples) {
            samples.samples().forEach(sample -> writeSample(out, sample));
            manifest = "LS";
        }
        return new Payload(ClusterCodec.TABLE_SERIALIZER_ID, manifest, out.toBytes());
    }

    private static void writeSample(ProtoWriter out, LoadSample sample) {
        int mark = out.begin(3);
        ClusterNodes.writeNode(out, 1, sample.node());
        out.int64(2, sample.sequence());
        out.float64(3, sample.cpuLoad());
        out.float64(4, sample.gcShare());
        out.int64(5, sample.waiting());
        for (LoadSample.Mailbox mailbox : sample.busiest()) {
            int inner = out.begin(6);
            out.text(1, mailbox.path().text());
            out.int64(2, mailbox.waiting());
            out.end(inner);
        }
        out.end(mark);
    }
}

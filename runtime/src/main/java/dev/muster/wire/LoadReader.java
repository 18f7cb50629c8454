package dev.muster.wire;

import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.state.LoadSample;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.List;

/** Reads what {@link LoadWriter} writes. */
final class LoadReader {
    private LoadReader() {}

    static boolean isFor(String manifest) {
        return manifest.equals("LS") || manifest.equals("LA");
    }

    static ClusterMessage.Core read(String manifest, byte[] buffer, int offset, int length) {
        ProtoReader in = new ProtoReader(buffer, offset, length);
        boolean tells = manifest.equals("LS");
        NodeId from = null;
        NodeId to = null;
        List<LoadSample> samples = new ArrayList<>();
        while (in.next()) {
            if (in.field() == 1) {
                from = ClusterNodes.readNode(in, "from");
            } else if (in.field() == 2) {
                to = ClusterNodes.readNode(in, "to");
            } else if (in.field() == 3 && tells) {
                Limits.requireAtMost("load samples", samples.size() + 1, Limits.LOAD_SAMPLES);
                samples.add(readSample(in));
            } else {
                in.skip();
            }
        }
        NodeId whom = required(to, "to");
        return new ClusterMessage.Core(
                required(from, "from"),
                tells ? new LoadMessage.LoadSamples(whom, samples) : new LoadMessage.AskLoad(whom));
    }

    private static LoadSample readSample(ProtoReader in) {
        int outer = in.enter("load sample");
        NodeId node = null;
        long sequence = -1;
        double cpuLoad = Double.NaN;
        double gcShare = Double.NaN;
        long waiting = -1;
        List<LoadSample.Mailbox> busiest = new ArrayList<>();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> node = ClusterNodes.readNode(in, "node");
                case 2 -> sequence = in.int64("sequence");
                case 3 -> cpuLoad = in.float64("cpu_load");
                case 4 -> gcShare = in.float64("gc_share");
                case 5 -> waiting = in.int64("waiting");
                case 6 -> {
                    Limits.requireAtMost("busiest partitions", busiest.size() + 1, LoadSample.MOST_NAMED);
                    busiest.add(readMailbox(in));
                }
                default -> in.skip();
            }
        }
        in.leave(outer);
        try {
            // What is missing has a value that no sample may have.
            return new LoadSample(required(node, "node"), sequence, cpuLoad, gcShare, waiting, busiest);
        } catch (IllegalArgumentException refusal) {
            throw WireException.refused("load sample", refusal);
        }
    }

    private static LoadSample.Mailbox readMailbox(ProtoReader in) {
        int outer = in.enter("mailbox");
        String path = null;
        long waiting = -1;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> path = in.text("path", PartitionPath.LONGEST);
                case 2 -> waiting = in.int64("waiting");
                default -> in.skip();
            }
        }
        in.leave(outer);
        try {
            return new LoadSample.Mailbox(new PartitionPath(required(path, "path")), waiting);
        } catch (IllegalArgumentException refusal) {
            throw WireException.refused("mailbox", refusal);
        }
    }

    private static <T> T required(T value, String name) {
        if (value == null) {
            throw WireException.missing(name);
        }
        return value;
    }
}

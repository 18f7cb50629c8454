package dev.muster.wire;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;

/** Nodes as the cluster writes them: other field numbers than in {@link RemoteNodes}, and the uid in two halves. */
final class ClusterNodes {
    private static final Interned<NodeId> KNOWN = new Interned<>(8_192, 160);

    private ClusterNodes() {}

    static void writeAddress(ProtoWriter out, int field, NodeAddress address) {
        int mark = out.begin(field);
        writeBareAddress(out, address);
        out.end(mark);
    }

    static void writeBareAddress(ProtoWriter out, NodeAddress address) {
        out.text(1, address.system());
        out.text(2, address.host());
        out.uint32(3, address.port());
        out.text(4, address.protocol());
    }

    static void writeNode(ProtoWriter out, int field, NodeId node) {
        int mark = out.begin(field);
        writeBareNode(out, node);
        out.end(mark);
    }

    static void writeBareNode(ProtoWriter out, NodeId node) {
        writeAddress(out, 1, node.address());
        out.uint32(2, (int) node.uid());
        out.uint32(3, (int) (node.uid() >>> 32));
    }

    static NodeAddress readAddress(ProtoReader in, String name) {
        int outer = in.enter(name);
        NodeAddress address = readBareAddress(in, name);
        in.leave(outer);
        return address;
    }

    static NodeAddress readBareAddress(ProtoReader in, String name) {
        NodeParts parts = new NodeParts();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> parts.system(in);
                case 2 -> parts.host(in);
                case 3 -> parts.port(in);
                case 4 -> parts.protocol(in);
                default -> in.skip();
            }
        }
        return parts.toAddress(name);
    }

    static NodeId readNode(ProtoReader in, String name) {
        int length = in.open(name);
        int start = in.position();
        NodeId node = KNOWN.find(in.buffer(), start, length);
        if (node == null) {
            node = readBareNode(new ProtoReader(in.buffer(), start, length), name);
            KNOWN.add(in.buffer(), start, length, node);
        }
        in.skipBytes(length);
        return node;
    }

    static NodeId readBareNode(ProtoReader in, String name) {
        NodeParts parts = new NodeParts();
        boolean hasLow = false;
        boolean hasHigh = false;
        int low = 0;
        int high = 0;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> parts.address = readAddress(in, name);
                case 2 -> {
                    low = in.int32("uid");
                    hasLow = true;
                }
                case 3 -> {
                    high = in.int32("uid's upper half");
                    hasHigh = true;
                }
                default -> in.skip();
            }
        }
        return parts.toNode(name, hasLow, hasHigh ? (long) high << 32 | low & 0xffff_ffffL : low);
    }
}

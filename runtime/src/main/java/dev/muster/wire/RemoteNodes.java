package dev.muster.wire;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;

/** Nodes as remoting writes them; the cluster writes them in another way, see {@link ClusterNodes}. */
final class RemoteNodes {
    private static final Interned<NodeId> KNOWN = new Interned<>(4_096, 160);

    private RemoteNodes() {}

    static void writeAddress(ProtoWriter out, int field, NodeAddress address) {
        int mark = out.begin(field);
        out.text(1, address.protocol());
        out.text(2, address.system());
        out.text(3, address.host());
        out.uint32(4, address.port());
        out.end(mark);
    }

    static void writeNode(ProtoWriter out, int field, NodeId node) {
        int mark = out.begin(field);
        writeAddress(out, 1, node.address());
        out.int64(2, node.uid());
        out.end(mark);
    }

    static NodeAddress readAddress(ProtoReader in, String name) {
        int outer = in.enter(name);
        NodeParts parts = new NodeParts();
        while (in.next()) {
            switch (in.field()) {
                case 1 -> parts.protocol(in);
                case 2 -> parts.system(in);
                case 3 -> parts.host(in);
                case 4 -> parts.port(in);
                default -> in.skip();
            }
        }
        in.leave(outer);
        return parts.toAddress(name);
    }

    static NodeId readNode(ProtoReader in, String name) {
        int length = in.open(name);
        int start = in.position();
        NodeId node = KNOWN.find(in.buffer(), start, length);
        if (node == null) {
            node = parseNode(new ProtoReader(in.buffer(), start, length), name);
            KNOWN.add(in.buffer(), start, length, node);
        }
        in.skipBytes(length);
        return node;
    }

    private static NodeId parseNode(ProtoReader in, String name) {
        NodeParts parts = new NodeParts();
        boolean hasUid = false;
        long uid = 0;
        while (in.next()) {
            switch (in.field()) {
                case 1 -> parts.address = readAddress(in, name);
                case 2 -> {
                    uid = in.int64("uid");
                    hasUid = true;
                }
                default -> in.skip();
            }
        }
        return parts.toNode(name, hasUid, uid);
    }
}

package dev.muster.wire;

import dev.muster.core.state.ClusterState;

/**
 * The last two states that were written, zipped. A state goes to many members one after the other, and to a joining
 * node between two of them, so nearly all writing is done once. States are told apart by identity: they never change.
 */
final class ZippedStates {
    private static final int LARGEST_KEPT = 1024 * 1024;
    private static final ThreadLocal<ProtoWriter> WRITER = ThreadLocal.withInitial(() -> new ProtoWriter(16 * 1024));

    private ClusterState last;
    private byte[] lastZipped;
    private ClusterState earlier;
    private byte[] earlierZipped;

    byte[] zipped(ClusterState state) {
        if (state == last) {
            return lastZipped;
        }
        byte[] zipped = state == earlier ? earlierZipped : zip(state);
        earlier = last;
        earlierZipped = lastZipped;
        last = state;
        lastZipped = zipped;
        return zipped;
    }

    private static byte[] zip(ClusterState state) {
        ProtoWriter written = unzipped(state);
        return BoundedGzip.zip(written.buffer(), written.size());
    }

    /** The state as it is before it is zipped; valid until this thread writes the next one. */
    static ProtoWriter unzipped(ClusterState state) {
        ProtoWriter out = WRITER.get();
        if (out.buffer().length > LARGEST_KEPT) {
            out = new ProtoWriter(16 * 1024);
            WRITER.set(out);
        }
        out.clear();
        GossipWriter.write(out, state);
        return out;
    }
}

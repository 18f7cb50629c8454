package dev.muster.wire;

import dev.muster.core.state.ClusterState;

/**
 * Reads zipped states. Those met last are remembered by their bytes: where many nodes live in one JVM each state comes
 * in as often as there are nodes, and all of them then hold the same object.
 */
final class UnzippedStates {
    private static final int LARGEST_KEPT = 256 * 1024;
    private static final ThreadLocal<byte[]> BUFFER = ThreadLocal.withInitial(() -> new byte[16 * 1024]);
    private static final Interned<ClusterState> KNOWN = new Interned<>(32, 32 * 1024);

    private UnzippedStates() {}

    static ClusterState read(byte[] buffer, int offset, int length) {
        ClusterState state = KNOWN.find(buffer, offset, length);
        if (state == null) {
            state = GossipReader.read(unzip(buffer, offset, length));
            KNOWN.add(buffer, offset, length, state);
        }
        return state;
    }

    /** A reader of the unzipped bytes; valid until this thread unzips something else. */
    static ProtoReader unzip(byte[] buffer, int offset, int length) {
        int size = BoundedGzip.announcedSize(buffer, offset, length, BoundedGzip.MOST_BYTES, BoundedGzip.MOST_RATIO);
        byte[] unzipped = bufferFor(size);
        BoundedGzip.unzipTo(unzipped, size, buffer, offset, length);
        return new ProtoReader(unzipped, 0, size);
    }

    private static byte[] bufferFor(int size) {
        byte[] kept = BUFFER.get();
        if (kept.length < size) {
            kept = new byte[Math.max(size, Math.min(kept.length * 2, LARGEST_KEPT))];
            if (kept.length <= LARGEST_KEPT) {
                BUFFER.set(kept);
            }
        }
        return kept;
    }
}

package dev.muster.simulator.check;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What an instance has made of its letters.
 *
 * @param count how many it has handled
 * @param hash of their numbers, in order
 */
public record InstanceState(long count, long hash) {
    public static final InstanceState NEW = new InstanceState(0, 0);

    public InstanceState after(Letter letter) {
        long mixed = (hash ^ letter.number()) * 0x9e3779b97f4a7c15L;
        return new InstanceState(count + 1, mixed ^ mixed >>> 29);
    }

    /** As pieces of some size; none at all for one that has done nothing. */
    public List<byte[]> pieces(int size) {
        List<byte[]> pieces = new ArrayList<>();
        byte[] all = count == 0
                ? new byte[0]
                : ByteBuffer.allocate(16).putLong(count).putLong(hash).array();
        for (int from = 0; from < all.length; from += size) {
            pieces.add(Arrays.copyOfRange(all, from, from + Math.min(all.length - from, size)));
        }
        return pieces;
    }

    public static InstanceState of(List<byte[]> pieces) {
        ByteBuffer all = ByteBuffer.allocate(16);
        pieces.forEach(all::put);
        all.flip();
        return all.hasRemaining() ? new InstanceState(all.getLong(), all.getLong()) : NEW;
    }
}

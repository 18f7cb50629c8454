package dev.muster.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Remembers what bytes mean, so that the thousandth gossip that names the same three hundred nodes makes no new objects
 * for them, and all nodes of one JVM share those there are.
 *
 * <p>It has a fixed number of slots and forgets what was there when something new needs the place. So an enemy can make
 * it useless, but not large, slow or wrong: bytes are compared in full. Threads may race; the values are immutable and
 * the worst outcome is that one is made twice.
 */
final class Interned<T> {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9e3779b97f4a7c15L;

    private static final class Entry<T> {
        private final byte[] bytes;
        private final T value;

        Entry(byte[] bytes, T value) {
            this.bytes = bytes;
            this.value = value;
        }

        boolean isFor(byte[] buffer, int offset, int length) {
            return Arrays.equals(bytes, 0, bytes.length, buffer, offset, offset + length);
        }
    }

    private final Entry<T>[] slots;
    private final int longest;

    /** @param slots a power of two; things of more than {@code longest} bytes are not remembered */
    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types
    Interned(int slots, int longest) {
        this.slots = new Entry[slots];
        this.longest = longest;
    }

    /** What these bytes mean, or null when it is not known. */
    T find(byte[] buffer, int offset, int length) {
        if (length > longest) {
            return null;
        }
        int slot = slotOf(buffer, offset, length);
        Entry<T> first = slots[slot];
        if (first != null && first.isFor(buffer, offset, length)) {
            return first.value;
        }
        Entry<T> second = slots[slot ^ 1];
        return second != null && second.isFor(buffer, offset, length) ? second.value : null;
    }

    void add(byte[] buffer, int offset, int length, T value) {
        if (length <= longest) {
            int slot = slotOf(buffer, offset, length);
            slots[slot ^ 1] = slots[slot];
            slots[slot] = new Entry<>(Arrays.copyOfRange(buffer, offset, offset + length), value);
        }
    }

    private int slotOf(byte[] buffer, int offset, int length) {
        long hash = length;
        int end = offset + length;
        int at = offset;
        for (; at <= end - 8; at += 8) {
            hash = mixed(hash, (long) LONGS.get(buffer, at));
        }
        if (length >= 8) {
            hash = mixed(hash, (long) LONGS.get(buffer, end - 8));
        } else {
            for (; at < end; at++) {
                hash = mixed(hash, buffer[at]);
            }
        }
        return (int) (hash >>> 32) & slots.length - 1;
    }

    private static long mixed(long hash, long more) {
        long product = (hash ^ more) * MIX;
        return product ^ product >>> 29;
    }
}

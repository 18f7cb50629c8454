package dev.muster.serialization;

import dev.muster.serialization.SerializationException.Reason;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * A byte array that grows as it is written to, and is used again for the next message.
 *
 * <p>It is an output stream only because Jackson and others write to those; it never does input or output. One thread
 * at a time.
 */
public final class ByteSink extends OutputStream {

    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 8;

    private final int maxLength;
    private byte[] bytes;
    private int length;

    public ByteSink() {
        this(512, LARGEST_ARRAY);
    }

    /** @param maxLength what would make it longer throws {@link SerializationException}, reason LIMIT_EXCEEDED */
    public ByteSink(int initialCapacity, int maxLength) {
        if (initialCapacity < 0 || maxLength < initialCapacity || maxLength > LARGEST_ARRAY) {
            throw new IllegalArgumentException("capacity " + initialCapacity + " with a maximum of " + maxLength);
        }
        this.maxLength = maxLength;
        this.bytes = new byte[initialCapacity];
    }

    /** What was written, from 0 to {@link #length}; it is another array after it had to grow. */
    public byte[] array() {
        return bytes;
    }

    /** How many bytes were written. */
    public int length() {
        return length;
    }

    /** Forgets what was written and keeps the array. */
    public void reset() {
        length = 0;
    }

    /** Forgets what was written beyond {@code shorter} bytes. */
    public void cutTo(int shorter) {
        Objects.checkIndex(shorter, length + 1);
        length = shorter;
    }

    /** A copy of what was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    @Override
    public void write(int value) {
        makeRoomFor(1);
        bytes[length++] = (byte) value;
    }

    @Override
    public void write(byte[] source) {
        write(source, 0, source.length);
    }

    @Override
    public void write(byte[] source, int offset, int count) {
        Objects.checkFromIndexSize(offset, count, source.length);
        makeRoomFor(count);
        System.arraycopy(source, offset, bytes, length, count);
        length += count;
    }

    /** Four bytes, the lowest first, as the wire has all its numbers. */
    public void writeIntLittleEndian(int value) {
        int at = skip(4);
        for (int i = 0; i < 4; i++) {
            bytes[at + i] = (byte) (value >>> 8 * i);
        }
    }

    /** Eight bytes, the lowest first. */
    public void writeLongLittleEndian(long value) {
        int at = skip(8);
        for (int i = 0; i < 8; i++) {
            bytes[at + i] = (byte) (value >>> 8 * i);
        }
    }

    /**
     * Leaves room that the caller fills through {@link #array}: headers whose content is known later, for instance.
     *
     * @return where the room begins
     */
    public int skip(int count) {
        makeRoomFor(count);
        int start = length;
        length += count;
        return start;
    }

    @Override
    public void flush() {
        // There is nowhere to flush to.
    }

    @Override
    public void close() {
        // Can be used again.
    }

    private void makeRoomFor(int count) {
        long needed = (long) length + count;
        if (needed > bytes.length) {
            if (needed > maxLength) {
                throw new SerializationException(
                        Reason.LIMIT_EXCEEDED, "a message is longer than the " + maxLength + " bytes it may have");
            }
            long doubled = Math.max(needed, 2L * bytes.length);
            bytes = Arrays.copyOf(bytes, (int) Math.min(maxLength, Math.max(64, doubled)));
        }
    }
}

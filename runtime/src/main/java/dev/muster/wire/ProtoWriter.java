package dev.muster.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes protobuf, as short as a generated writer does. Can be used again after {@link #clear}. */
final class ProtoWriter {
    private byte[] buffer;
    private int size;

    ProtoWriter(int capacity) {
        buffer = new byte[Math.max(16, capacity)];
    }

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    /** The bytes so far, valid up to {@link #size} and until the next change. */
    byte[] buffer() {
        return buffer;
    }

    byte[] toBytes() {
        return Arrays.copyOf(buffer, size);
    }

    // --- Numbers
    // ------------------------------------------------------------------------------------------------------

    void int64(int field, long value) {
        tag(field, ProtoReader.VARINT);
        varint(value);
    }

    /** Negative numbers take ten bytes, as for every signed number here. */
    void int32(int field, int value) {
        int64(field, value);
    }

    void uint32(int field, int value) {
        int64(field, value & 0xffff_ffffL);
    }

    void sint64(int field, long value) {
        int64(field, value << 1 ^ value >> 63);
    }

    void bool(int field, boolean value) {
        int64(field, value ? 1 : 0);
    }

    void float64(int field, double value) {
        tag(field, ProtoReader.FIXED64);
        ensure(8);
        LittleEndian.writeLong(buffer, size, Double.doubleToLongBits(value));
        size += 8;
    }

    /** A number without a tag, as they stand in packed lists. */
    void varint(long value) {
        ensure(10);
        long left = value;
        while ((left & ~0x7fL) != 0) {
            buffer[size++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        buffer[size++] = (byte) left;
    }

    private void tag(int field, int wireType) {
        varint((long) field << 3 | wireType);
    }

    // --- Things with a length
    // -----------------------------------------------------------------------------------------

    void bytes(int field, byte[] value) {
        bytes(field, value, 0, value.length);
    }

    void bytes(int field, byte[] value, int offset, int length) {
        head(field, length);
        raw(value, offset, length);
    }

    /** The tag and length of bytes that somebody else writes. */
    void head(int field, int length) {
        tag(field, ProtoReader.BYTES);
        varint(length);
    }

    void raw(byte[] value, int offset, int length) {
        ensure(length);
        System.arraycopy(value, offset, buffer, size, length);
        size += length;
    }

    void text(int field, String value) {
        int length = value.length();
        int mark = begin(field);
        ensure(length);
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (c >= 128) {
                size = mark;
                byte[] coded = value.getBytes(StandardCharsets.UTF_8);
                raw(coded, 0, coded.length);
                break;
            }
            buffer[size++] = (byte) c;
        }
        end(mark);
    }

    /** Begins a message in this one; what it returns is for {@link #end}. */
    int begin(int field) {
        tag(field, ProtoReader.BYTES);
        ensure(1);
        return ++size; // most lengths take one byte; end makes room for those that do not
    }

    void end(int mark) {
        int length = size - mark;
        int extra = 0;
        for (int left = length >>> 7; left != 0; left >>>= 7) {
            extra++;
        }
        if (extra > 0) {
            ensure(extra);
            System.arraycopy(buffer, mark, buffer, mark + extra, length);
        }
        size = mark - 1;
        varint(length);
        size += length;
    }

    private void ensure(int more) {
        if (size + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(size + more, buffer.length * 2));
        }
    }
}

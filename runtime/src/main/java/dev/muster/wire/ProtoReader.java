package dev.muster.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads protobuf in place: {@code while (in.next()) switch (in.field()) ...}.
 *
 * <p>Unlike a generated parser it keeps nothing of what it does not know, goes no deeper than its caller, and never
 * makes anything before it has seen that the bytes for it are there. Groups are refused; nobody uses them. Why there
 * are no generated parsers: loading them takes a node a quarter of a second, and gossip must not be copied twice.
 */
final class ProtoReader {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int BYTES = 2;
    static final int FIXED32 = 5;

    private static final Interned<String> KNOWN_TEXTS = new Interned<>(8_192, 64);

    private final byte[] buffer;
    private int position;
    private int limit;
    private int field;
    private int wireType;

    ProtoReader(byte[] buffer, int offset, int length) {
        if (offset < 0 || length < 0 || offset > buffer.length - length) {
            throw WireException.malformed("no " + length + " bytes at " + offset + " in a buffer of " + buffer.length);
        }
        this.buffer = buffer;
        this.position = offset;
        this.limit = offset + length;
    }

    /** Goes on to the next field; false at the end of the message. */
    boolean next() {
        if (position >= limit) {
            return false;
        }
        long tag = varint("tag");
        field = (int) (tag >>> 3);
        wireType = (int) tag & 7;
        if (tag < 8 || tag > 0xffff_ffffL) {
            throw WireException.malformed("no field has the tag " + tag);
        }
        return true;
    }

    int field() {
        return field;
    }

    int wireType() {
        return wireType;
    }

    int position() {
        return position;
    }

    byte[] buffer() {
        return buffer;
    }

    // --- Numbers
    // ------------------------------------------------------------------------------------------------------

    long int64(String name) {
        require(VARINT, name);
        return varint(name);
    }

    int int32(String name) {
        return (int) int64(name);
    }

    long sint64(String name) {
        long coded = int64(name);
        return coded >>> 1 ^ -(coded & 1);
    }

    boolean bool(String name) {
        return int64(name) != 0;
    }

    double float64(String name) {
        require(FIXED64, name);
        if (limit - position < 8) {
            throw WireException.malformed(name + " is cut off");
        }
        long bits = LittleEndian.readLong(buffer, position);
        position += 8;
        return Double.longBitsToDouble(bits);
    }

    /** A number that must lie in a range. */
    int between(String name, int least, int most) {
        return checked(name, int64(name), least, most);
    }

    private static int checked(String name, long value, int least, int most) {
        if (value < least || value > most) {
            throw WireException.malformed(name + " must be between " + least + " and " + most + ", was " + value);
        }
        return (int) value;
    }

    /** The next number without a tag, as they stand in packed lists. */
    int packed(String name) {
        return checked(name, varint(name), 0, Integer.MAX_VALUE);
    }

    /** True while there is something left before the limit; for packed lists. */
    boolean hasMore() {
        return position < limit;
    }

    private long varint(String name) {
        int at = position;
        int end = limit;
        if (at < end && buffer[at] >= 0) {
            position = at + 1;
            return buffer[at];
        }
        long value = 0;
        for (int shift = 0; shift < 70 && at < end; shift += 7) {
            byte b = buffer[at++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                position = at;
                return value;
            }
        }
        throw WireException.malformed(name + (at == end ? " is cut off" : " is a number of more than ten bytes"));
    }

    // --- Things with a length
    // -----------------------------------------------------------------------------------------

    /** The length of the bytes that begin at {@link #position()}; they are known to be there. */
    int open(String name) {
        require(BYTES, name);
        long length = varint(name);
        if (length < 0 || length > limit - position) {
            throw WireException.malformed(
                    name + " says it has " + length + " bytes, but only " + (limit - position) + " follow");
        }
        return (int) length;
    }

    /** Goes into a message; what it returns is for {@link #leave}. */
    int enter(String name) {
        int length = open(name);
        int outer = limit;
        limit = position + length;
        return outer;
    }

    void leave(int outer) {
        position = limit;
        limit = outer;
    }

    void skipBytes(int count) {
        position += count;
    }

    byte[] bytes(String name, int most) {
        int length = openAtMost(name, most);
        byte[] copy = Arrays.copyOfRange(buffer, position, position + length);
        position += length;
        return copy;
    }

    /** A text without control characters. Short ones that were met before are not made again. */
    String text(String name, int mostBytes) {
        int length = openAtMost(name, mostBytes);
        String known = KNOWN_TEXTS.find(buffer, position, length);
        if (known == null) {
            known = new String(buffer, position, length, StandardCharsets.UTF_8);
            if (!Texts.isHarmless(known)) {
                throw WireException.badText(name, known);
            }
            KNOWN_TEXTS.add(buffer, position, length, known);
        }
        position += length;
        return known;
    }

    /** A text that its reader examines itself. */
    String uncheckedText(String name, int mostBytes) {
        int length = openAtMost(name, mostBytes);
        String text = new String(buffer, position, length, StandardCharsets.UTF_8);
        position += length;
        return text;
    }

    private int openAtMost(String name, int most) {
        int length = open(name);
        if (length > most) {
            throw WireException.tooLarge(name + "'s length", length, most);
        }
        return length;
    }

    /** Passes over a field that nobody here knows. */
    void skip() {
        switch (wireType) {
            case VARINT -> varint("an unknown field");
            case BYTES -> position += open("an unknown field");
            case FIXED64 -> skipFixed(8);
            case FIXED32 -> skipFixed(4);
            default -> throw WireException.malformed("field " + field + " has the wire type " + wireType);
        }
    }

    private void skipFixed(int count) {
        if (count > limit - position) {
            throw WireException.malformed("field " + field + " is cut off");
        }
        position += count;
    }

    private void require(int expected, String name) {
        if (wireType != expected) {
            throw WireException.malformed(name + " has the wire type " + wireType + " instead of " + expected);
        }
    }
}

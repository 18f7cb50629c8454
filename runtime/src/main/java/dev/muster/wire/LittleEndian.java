package dev.muster.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers with their least significant byte first, as frames and envelopes have them. */
final class LittleEndian {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    static int readInt(byte[] bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long readLong(byte[] bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    static int readShort(byte[] bytes, int at) {
        return bytes[at] & 0xff | (bytes[at + 1] & 0xff) << 8;
    }

    static void writeInt(byte[] bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    static void writeLong(byte[] bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    static void writeShort(byte[] bytes, int at, int value) {
        bytes[at] = (byte) value;
        bytes[at + 1] = (byte) (value >>> 8);
    }
}

package dev.muster.wire;

import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Zips fast, and unzips without falling for bombs.
 *
 * <p>A zipped thing says at its end how large it will be. That is compared with what is allowed before a byte is
 * unzipped, and then held to it: whoever says little and unpacks more is found out at the first byte too many.
 *
 * <p>The native parts are large, so each thread has one of each, whoever's bytes it works on.
 */
public final class BoundedGzip {
    /** Nothing unzips to more than this, whatever the caller allows. */
    public static final int MOST_BYTES = 8 * 1024 * 1024;
    /** How many times its size an honest thing may unzip to. */
    public static final int MOST_RATIO = 100;
    /** Up to here the ratio does not count: small things with much repetition do compress well. */
    static final int HARMLESS_BYTES = 64 * 1024;

    private static final int HEADER = 10;
    private static final int TRAILER = 8;
    private static final int LONGEST_STORED = 65_535;
    private static final int FLAG_HEADER_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;
    private static final int FLAGS_KNOWN = 31;

    private static final ThreadLocal<Deflater> DEFLATER =
            ThreadLocal.withInitial(() -> new Deflater(Deflater.BEST_SPEED, true));
    private static final ThreadLocal<Inflater> INFLATER = ThreadLocal.withInitial(() -> new Inflater(true));

    private BoundedGzip() {}

    /** These bytes after each other, zipped. */
    public static byte[] zip(byte[]... parts) {
        CRC32 crc = new CRC32();
        int size = 0;
        Deflated deflated = new Deflated();
        for (int i = 0; i < parts.length; i++) {
            crc.update(parts[i]);
            size += parts[i].length;
            deflated.add(parts[i], parts[i].length, i == parts.length - 1);
        }
        if (parts.length == 0) {
            deflated.add(new byte[0], 0, true);
        }
        return deflated.withTrailer(crc, size);
    }

    static byte[] zip(byte[] buffer, int length) {
        CRC32 crc = new CRC32();
        crc.update(buffer, 0, length);
        Deflated deflated = new Deflated();
        deflated.add(buffer, length, true);
        return deflated.withTrailer(crc, length);
    }

    /**
     * What one gets by zipping the prefix and the body together, without zipping the body again: the prefix is put in
     * front as it is, which the format allows.
     *
     * @param zippedBody what {@link #zip} made of the body
     */
    static byte[] zipPrefixed(byte[] prefix, byte[] body, int bodyLength, byte[] zippedBody) {
        if (prefix.length > LONGEST_STORED) {
            throw new IllegalArgumentException("a prefix of " + prefix.length + " bytes");
        }
        Deflated deflated = new Deflated();
        deflated.addStored(prefix);
        deflated.addRaw(zippedBody, HEADER, zippedBody.length - HEADER - TRAILER);
        CRC32 crc = new CRC32();
        crc.update(prefix);
        crc.update(body, 0, bodyLength);
        return deflated.withTrailer(crc, prefix.length + bodyLength);
    }

    /** A zipped thing in the making. */
    private static final class Deflated {
        private byte[] buffer = new byte[512];
        private int size = HEADER;
        private boolean isBegun;

        Deflated() {
            buffer[0] = 0x1f;
            buffer[1] = (byte) 0x8b;
            buffer[2] = 8;
        }

        void add(byte[] bytes, int length, boolean isLast) {
            if (!isBegun) {
                isBegun = true;
                DEFLATER.get().reset();
            }
            Deflater deflater = DEFLATER.get();
            deflater.setInput(bytes, 0, length);
            if (isLast) {
                deflater.finish();
            }
            ensure(length / 2 + 64);
            while (isLast ? !deflater.finished() : !deflater.needsInput()) {
                ensure(64);
                size += deflater.deflate(buffer, size, buffer.length - size);
            }
            if (isLast) {
                deflater.setInput(new byte[0]); // lets go of the caller's array
            }
        }

        void addStored(byte[] bytes) {
            ensure(bytes.length + 5);
            buffer[size] = 0; // stored, and not the last block
            writeShort(size + 1, bytes.length);
            writeShort(size + 3, ~bytes.length);
            size += 5;
            addRaw(bytes, 0, bytes.length);
        }

        void addRaw(byte[] bytes, int offset, int length) {
            ensure(length);
            System.arraycopy(bytes, offset, buffer, size, length);
            size += length;
        }

        byte[] withTrailer(CRC32 crc, int unzippedSize) {
            byte[] whole = Arrays.copyOf(buffer, size + TRAILER);
            buffer = whole;
            writeInt(size, (int) crc.getValue());
            writeInt(size + 4, unzippedSize);
            return whole;
        }

        private void writeShort(int at, int value) {
            buffer[at] = (byte) value;
            buffer[at + 1] = (byte) (value >>> 8);
        }

        private void writeInt(int at, int value) {
            writeShort(at, value);
            writeShort(at + 2, value >>> 16);
        }

        private void ensure(int more) {
            if (size + more > buffer.length) {
                buffer = Arrays.copyOf(buffer, Math.max(size + more, buffer.length * 2));
            }
        }
    }

    // --- Unzipping
    // ----------------------------------------------------------------------------------------------------

    /**
     * The unzipped bytes.
     *
     * @param maxBytes how many there may be, at most {@link #MOST_BYTES}
     * @param maxRatio how many times the zipped size they may be, once they are more than some KB
     * @throws WireException {@code BOMB} if they are more, {@code MALFORMED} if they are no zipped bytes
     */
    public static byte[] unzip(byte[] buffer, int offset, int length, int maxBytes, int maxRatio) {
        int size = announcedSize(buffer, offset, length, maxBytes, maxRatio);
        byte[] unzipped = new byte[size];
        unzipTo(unzipped, size, buffer, offset, length);
        return unzipped;
    }

    /** How large the bytes say that they will be, if that is allowed. */
    static int announcedSize(byte[] buffer, int offset, int length, int maxBytes, int maxRatio) {
        if (offset < 0 || length < HEADER + TRAILER || offset > buffer.length - length) {
            throw WireException.malformed("zipped bytes: " + length + " at " + offset + " are none");
        }
        long size = readInt(buffer, offset + length - 4) & 0xffff_ffffL;
        long most = Math.min(Math.min(maxBytes, MOST_BYTES), Math.max(HARMLESS_BYTES, (long) maxRatio * length));
        if (size > most) {
            throw new WireException(
                    WireException.Reason.BOMB,
                    "zipped bytes: " + length + " would become " + size + "; at most " + most + " are allowed");
        }
        return (int) size;
    }

    /** Unzips to the beginning of a buffer that has room for the announced size. */
    static void unzipTo(byte[] target, int announcedSize, byte[] buffer, int offset, int length) {
        int bodyStart = skipHeader(buffer, offset, length);
        int bodyLength = offset + length - TRAILER - bodyStart;
        Inflater inflater = INFLATER.get();
        inflater.reset();
        try {
            inflater.setInput(buffer, bodyStart, bodyLength);
            inflate(inflater, target, announcedSize);
            if (inflater.getRemaining() != 0) {
                throw WireException.malformed("zipped bytes: " + inflater.getRemaining() + " follow the end");
            }
        } catch (DataFormatException e) {
            throw WireException.malformed("zipped bytes: " + Texts.shown(String.valueOf(e.getMessage())));
        } finally {
            inflater.setInput(new byte[0]); // lets go of the caller's array
        }
        CRC32 crc = new CRC32();
        crc.update(target, 0, announcedSize);
        if ((int) crc.getValue() != readInt(buffer, offset + length - TRAILER)) {
            throw WireException.malformed("zipped bytes: the checksum is wrong");
        }
    }

    private static void inflate(Inflater inflater, byte[] target, int announcedSize) throws DataFormatException {
        int size = 0;
        while (size < announcedSize) {
            int more = inflater.inflate(target, size, announcedSize - size);
            size += more;
            if (more == 0 && (inflater.finished() || inflater.needsInput() || inflater.needsDictionary())) {
                throw WireException.malformed("zipped bytes: only " + size + " of " + announcedSize + " are there");
            }
        }
        byte[] beyond = new byte[1];
        if (!inflater.finished() && inflater.inflate(beyond) > 0) {
            throw new WireException(
                    WireException.Reason.BOMB, "zipped bytes: become more than the " + announcedSize + " announced");
        }
        if (!inflater.finished()) {
            throw WireException.malformed("zipped bytes: are cut off");
        }
    }

    private static int skipHeader(byte[] buffer, int offset, int length) {
        int flags = buffer[offset + 3];
        if (buffer[offset] != 0x1f || buffer[offset + 1] != (byte) 0x8b || buffer[offset + 2] != 8) {
            throw WireException.malformed("zipped bytes: do not begin as such");
        }
        if ((flags & ~FLAGS_KNOWN) != 0) {
            throw WireException.malformed("zipped bytes: unknown flags " + flags);
        }
        int end = offset + length - TRAILER;
        int at = offset + HEADER;
        if ((flags & FLAG_EXTRA) != 0) {
            at += 2 + (at + 2 <= end ? (buffer[at] & 0xff) | (buffer[at + 1] & 0xff) << 8 : 0);
        }
        if ((flags & FLAG_NAME) != 0) {
            at = skipText(buffer, at, end);
        }
        if ((flags & FLAG_COMMENT) != 0) {
            at = skipText(buffer, at, end);
        }
        at += (flags & FLAG_HEADER_CRC) != 0 ? 2 : 0;
        if (at > end) {
            throw WireException.malformed("zipped bytes: the head is longer than the whole");
        }
        return at;
    }

    private static int skipText(byte[] buffer, int from, int end) {
        int at = from;
        while (at < end && buffer[at] != 0) {
            at++;
        }
        return at + 1;
    }

    private static int readInt(byte[] buffer, int at) {
        return (buffer[at] & 0xff)
                | (buffer[at + 1] & 0xff) << 8
                | (buffer[at + 2] & 0xff) << 16
                | (buffer[at + 3] & 0xff) << 24;
    }
}

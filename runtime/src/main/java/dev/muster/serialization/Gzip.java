package dev.muster.serialization;

import dev.muster.serialization.SerializationException.Reason;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates what other systems compress, up to a bound.
 *
 * <p>A megabyte of zeros takes a kilobyte when compressed; so the bound is on what comes out, and is checked while it
 * comes out.
 */
final class Gzip {

    private static final int HEADER = 10;
    private static final int TRAILER = 8;
    private static final byte DEFLATE = 8;

    private Gzip() {}

    /** Whether it begins as compressed data does. Neither JSON nor CBOR can. */
    static boolean isCompressed(byte[] buffer, int offset, int length) {
        return length >= 2 && buffer[offset] == (byte) 0x1f && buffer[offset + 1] == (byte) 0x8b;
    }

    static byte[] inflate(byte[] buffer, int offset, int length, int maxInflated) {
        if (length < HEADER + TRAILER || buffer[offset + 2] != DEFLATE || buffer[offset + 3] != 0) {
            // The flags stand for names and comments of files, which nobody puts on a message.
            throw Codec.malformed("compressed in a way that is not understood");
        }
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(buffer, offset + HEADER, length - HEADER);
            byte[] inflated = inflateAll(inflater, (int) Math.min(maxInflated, 4L * length), maxInflated);
            checkTrailer(inflated, buffer, offset + length - inflater.getRemaining(), inflater.getRemaining());
            return inflated;
        } catch (DataFormatException broken) {
            throw Codec.malformed("compressed data is broken: " + Printable.of(String.valueOf(broken.getMessage())));
        } finally {
            inflater.end();
        }
    }

    private static byte[] inflateAll(Inflater inflater, int expected, int maxInflated) throws DataFormatException {
        byte[] inflated = new byte[expected];
        int size = 0;
        while (!inflater.finished()) {
            if (size == inflated.length) {
                if (size == maxInflated) {
                    throw new SerializationException(
                            Reason.LIMIT_EXCEEDED, "inflates to more than max-inflated-bytes, " + maxInflated);
                }
                inflated = Arrays.copyOf(inflated, (int) Math.min(maxInflated, 2L * size));
            }
            int count = inflater.inflate(inflated, size, inflated.length - size);
            if (count == 0 && !inflater.finished() && (inflater.needsInput() || inflater.needsDictionary())) {
                throw Codec.malformed("compressed data ends too early");
            }
            size += count;
        }
        return Arrays.copyOf(inflated, size);
    }

    private static void checkTrailer(byte[] inflated, byte[] buffer, int offset, int remaining) {
        CRC32 checksum = new CRC32();
        checksum.update(inflated);
        if (remaining != TRAILER
                || littleEndian(buffer, offset) != (int) checksum.getValue()
                || littleEndian(buffer, offset + 4) != inflated.length) {
            throw Codec.malformed("compressed data does not match its checksum");
        }
    }

    private static int littleEndian(byte[] buffer, int offset) {
        return buffer[offset] & 0xff
                | (buffer[offset + 1] & 0xff) << 8
                | (buffer[offset + 2] & 0xff) << 16
                | (buffer[offset + 3] & 0xff) << 24;
    }
}

package dev.muster.wire;

import java.nio.charset.StandardCharsets;

/**
 * The head of one frame: from which incarnation, by whom, to whom, what kind. It is read in place and nothing is
 * allocated; texts are made only for those who ask.
 */
public final class EnvelopeReader {
    public static final int HEADER_BYTES = 28;

    private static final int HIGHEST_VERSION = 0;
    private static final int METADATA_FLAG = 1;
    private static final int COMPRESSED = 0xff000000;

    private static final byte[] NONE = {};

    private byte[] buffer = NONE;
    private int refTableVersion;
    private int manifestTableVersion;
    private long uid;
    private int serializerId;
    private final Label sender = new Label();
    private final Label recipient = new Label();
    private final Label manifest = new Label();
    private int payloadStart;
    private int payloadLength;

    /** A text in a frame: either a number in an agreed table, or written out. */
    public final class Label {
        private int index;
        private int start;
        private int length;

        /** The number in the table, or -1 when it is written out. */
        public int index() {
            return index;
        }

        public boolean isEmpty() {
            return index < 0 && length == 0;
        }

        public int start() {
            return start;
        }

        public int length() {
            return length;
        }

        /** Whether it is written out, as exactly these bytes. */
        public boolean is(byte[] text) {
            if (index >= 0 || text.length != length) {
                return false;
            }
            for (int i = 0; i < length; i++) {
                if (buffer[start + i] != text[i]) {
                    return false;
                }
            }
            return true;
        }

        /** A copy of the bytes. */
        public byte[] bytes() {
            byte[] copy = new byte[length];
            System.arraycopy(buffer, start, copy, 0, length);
            return copy;
        }

        /** The text where it is written out. */
        public String text() {
            return new String(buffer, start, length, StandardCharsets.US_ASCII);
        }

        private int read(int tag, int at, int end, String what) {
            if ((tag & COMPRESSED) != 0) {
                index = tag & 0xffff;
                start = 0;
                length = 0;
                return at;
            }
            index = -1;
            if (at + 2 > end) {
                throw new WireException(WireException.Reason.MALFORMED, "the frame ends before its " + what);
            }
            length = LittleEndian.readShort(buffer, at);
            start = at + 2;
            if (start + length > end) {
                throw new WireException(
                        WireException.Reason.MALFORMED,
                        "a " + what + " of " + length + " bytes does not fit its frame");
            }
            if (length > Short.MAX_VALUE) {
                throw new WireException(WireException.Reason.BAD_TEXT, "a " + what + " of " + length + " bytes");
            }
            for (int i = start; i < start + length; i++) {
                if (buffer[i] < ' ' || buffer[i] == 127) {
                    throw new WireException(
                            WireException.Reason.BAD_TEXT,
                            "byte " + buffer[i] + " in a " + what + "; only printable ASCII is allowed");
                }
            }
            return start + length;
        }
    }

    /** Lets go of the bytes of the last frame. */
    public void release() {
        buffer = NONE;
    }

    /**
     * Reads the frame at this place.
     *
     * @throws WireException if it is no envelope that this node can read
     */
    public void read(byte[] bytes, int start, int length) {
        if (length < HEADER_BYTES) {
            throw new WireException(WireException.Reason.MALFORMED, "an envelope of " + length + " bytes");
        }
        buffer = bytes;
        int end = start + length;
        int version = bytes[start];
        if (version < 0 || version > HIGHEST_VERSION) {
            throw new WireException(
                    WireException.Reason.MALFORMED,
                    "envelope version " + version + "; this node understands up to " + HIGHEST_VERSION);
        }
        int flags = bytes[start + 1];
        refTableVersion = bytes[start + 2];
        manifestTableVersion = bytes[start + 3];
        uid = LittleEndian.readLong(bytes, start + 4);
        serializerId = LittleEndian.readInt(bytes, start + 12);
        int at = start + HEADER_BYTES;
        if ((flags & METADATA_FLAG) != 0) {
            at = skipMetadata(at, end);
        }
        at = sender.read(LittleEndian.readInt(bytes, start + 16), at, end, "sender");
        at = recipient.read(LittleEndian.readInt(bytes, start + 20), at, end, "recipient");
        at = manifest.read(LittleEndian.readInt(bytes, start + 24), at, end, "manifest");
        payloadStart = at;
        payloadLength = end - at;
    }

    private int skipMetadata(int at, int end) {
        int length = at + 4 <= end ? LittleEndian.readInt(buffer, at) : -1;
        if (length < 0 || length > end - at - 4) {
            throw new WireException(WireException.Reason.MALFORMED, "metadata of " + length + " bytes");
        }
        return at + 4 + length;
    }

    public byte[] array() {
        return buffer;
    }

    /** The version of the table of refs that its numbers are from. */
    public int refTableVersion() {
        return refTableVersion;
    }

    public int manifestTableVersion() {
        return manifestTableVersion;
    }

    /** The incarnation that sent it, as it says. */
    public long uid() {
        return uid;
    }

    public int serializerId() {
        return serializerId;
    }

    public Label sender() {
        return sender;
    }

    public Label recipient() {
        return recipient;
    }

    public Label manifest() {
        return manifest;
    }

    public int payloadStart() {
        return payloadStart;
    }

    public int payloadLength() {
        return payloadLength;
    }
}

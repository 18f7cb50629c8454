package dev.muster.wire;

/**
 * Cuts a stream of bytes into frames: four bytes of length, least significant first, then so many bytes.
 *
 * <p>A length is judged the moment it is there, before anything is set aside for it. What is kept between two chunks
 * grows by doubling, so that a peer which sends byte by byte costs no more than one that sends at once.
 */
public final class FrameReader {
    private static final int LENGTH_BYTES = 4;
    private static final byte[] NONE = new byte[0];

    private final int maxFrameBytes;
    private byte[] buffer = NONE;
    private boolean ownsBuffer;
    private int from;
    private int to;
    private int start;
    private int length;

    public FrameReader(int maxFrameBytes) {
        this.maxFrameBytes = maxFrameBytes;
    }

    /** More bytes came. The array is this reader's from now on. */
    public void feed(byte[] chunk, int offset, int chunkLength) {
        if (from == to) {
            buffer = chunk;
            ownsBuffer = false;
            from = offset;
            to = offset + chunkLength;
            return;
        }
        int kept = to - from;
        if (!ownsBuffer || to + chunkLength > buffer.length) {
            byte[] target = ownsBuffer && kept + chunkLength <= buffer.length / 2
                    ? buffer
                    : new byte[Math.max(256, 2 * (kept + chunkLength))];
            System.arraycopy(buffer, from, target, 0, kept);
            buffer = target;
            ownsBuffer = true;
            from = 0;
            to = kept;
        }
        System.arraycopy(chunk, offset, buffer, to, chunkLength);
        to += chunkLength;
    }

    /**
     * Goes to the next frame, if all of it is there.
     *
     * @throws WireException if the length of the next frame is impossible; the stream is of no use after that
     */
    public boolean next() {
        if (from == to) {
            buffer = NONE; // a silent connection holds no memory
            ownsBuffer = false;
            from = 0;
            to = 0;
            return false;
        }
        if (to - from < LENGTH_BYTES) {
            return false;
        }
        int announced = LittleEndian.readInt(buffer, from);
        if (announced < EnvelopeReader.HEADER_BYTES || announced > maxFrameBytes) {
            throw new WireException(
                    announced > maxFrameBytes ? WireException.Reason.TOO_LARGE : WireException.Reason.MALFORMED,
                    "a frame of " + Integer.toUnsignedString(announced) + " bytes; between "
                            + EnvelopeReader.HEADER_BYTES + " and " + maxFrameBytes + " are allowed");
        }
        if (to - from - LENGTH_BYTES < announced) {
            return false;
        }
        start = from + LENGTH_BYTES;
        length = announced;
        from = start + announced;
        return true;
    }

    /** The frame that {@link #next} found is in here; valid until the next call. */
    public byte[] array() {
        return buffer;
    }

    public int start() {
        return start;
    }

    public int length() {
        return length;
    }

    /** Whether part of a frame has come and the rest is missing. */
    public boolean isWaiting() {
        return to != from;
    }
}

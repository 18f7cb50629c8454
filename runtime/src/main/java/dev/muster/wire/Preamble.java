package dev.muster.wire;

/** The first five bytes of a connection: who speaks this wire, and which stream follows. */
public final class Preamble {
    public static final int BYTES = 5;
    public static final int CONTROL = 1;
    public static final int ORDINARY = 2;
    public static final int LARGE = 3;

    private static final byte[] SENT = {'A', 'K', 'K', 'A'};
    private static final byte[] ALSO_ACCEPTED = {'P', 'E', 'K', 'K'};

    private Preamble() {}

    public static byte[] of(int stream) {
        return new byte[] {SENT[0], SENT[1], SENT[2], SENT[3], (byte) stream};
    }

    /**
     * Reads what has come so far.
     *
     * @return the stream, or 0 when more bytes are needed
     * @throws WireException as soon as it can be no preamble
     */
    public static int read(byte[] bytes, int length) {
        boolean sent = true;
        boolean other = true;
        for (int i = 0; i < Math.min(length, 4); i++) {
            sent &= bytes[i] == SENT[i];
            other &= bytes[i] == ALSO_ACCEPTED[i];
        }
        if (!sent && !other) {
            throw new WireException(WireException.Reason.MALFORMED, "bad-magic");
        }
        if (length < BYTES) {
            return 0;
        }
        if (bytes[4] < CONTROL || bytes[4] > LARGE) {
            throw new WireException(WireException.Reason.MALFORMED, "there is no stream " + bytes[4]);
        }
        return bytes[4];
    }
}

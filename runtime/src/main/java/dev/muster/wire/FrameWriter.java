package dev.muster.wire;

/** Frames one after the other in an array that grows as needed and is used again. Not safe for several threads. */
public final class FrameWriter {
    /** Stands for a label that is a number in the table. */
    private static final int COMPRESSED = 0xff000000;

    private static final byte[] NONE = new byte[0];

    private byte[] buffer;
    private int used;

    public FrameWriter(int initialBytes) {
        buffer = new byte[initialBytes];
    }

    /**
     * Adds one frame. A label is given by its number in the peer's table, or by its bytes when that is negative; null
     * bytes are an empty label.
     *
     * @return the length of the frame with its length field
     */
    public int add(
            long uid,
            int serializerId,
            int refTableVersion,
            int manifestTableVersion,
            int senderIndex,
            byte[] sender,
            int recipientIndex,
            byte[] recipient,
            int manifestIndex,
            byte[] manifest,
            byte[] payload,
            int payloadOffset,
            int payloadLength) {
        byte[] senderBytes = sender == null ? NONE : sender;
        byte[] recipientBytes = recipient == null ? NONE : recipient;
        byte[] manifestBytes = manifest == null ? NONE : manifest;
        int labels = size(senderIndex, senderBytes) + size(recipientIndex, recipientBytes);
        int length = EnvelopeReader.HEADER_BYTES + labels + size(manifestIndex, manifestBytes) + payloadLength;
        ensure(4 + length);
        int frame = used;
        LittleEndian.writeInt(buffer, frame, length);
        int head = frame + 4;
        buffer[head] = 0;
        buffer[head + 1] = 0;
        buffer[head + 2] = (byte) refTableVersion;
        buffer[head + 3] = (byte) manifestTableVersion;
        LittleEndian.writeLong(buffer, head + 4, uid);
        LittleEndian.writeInt(buffer, head + 12, serializerId);
        int at = head + EnvelopeReader.HEADER_BYTES;
        at = label(head, 16, senderIndex, senderBytes, at);
        at = label(head, 20, recipientIndex, recipientBytes, at);
        at = label(head, 24, manifestIndex, manifestBytes, at);
        System.arraycopy(payload, payloadOffset, buffer, at, payloadLength);
        used = at + payloadLength;
        return 4 + length;
    }

    private static int size(int index, byte[] text) {
        return index >= 0 ? 0 : 2 + text.length;
    }

    private int label(int head, int tagOffset, int index, byte[] text, int at) {
        if (index >= 0) {
            LittleEndian.writeInt(buffer, head + tagOffset, COMPRESSED | index);
            return at;
        }
        LittleEndian.writeInt(buffer, head + tagOffset, at - head);
        LittleEndian.writeShort(buffer, at, text.length);
        System.arraycopy(text, 0, buffer, at + 2, text.length);
        return at + 2 + text.length;
    }

    /** Adds bytes that are no frame: the preamble of a connection. */
    public void addRaw(byte... bytes) {
        ensure(bytes.length);
        System.arraycopy(bytes, 0, buffer, used, bytes.length);
        used += bytes.length;
    }

    private void ensure(int more) {
        if (used + more > buffer.length) {
            byte[] larger = new byte[Math.max(2 * buffer.length, used + more)];
            System.arraycopy(buffer, 0, larger, 0, used);
            buffer = larger;
        }
    }

    public byte[] array() {
        return buffer;
    }

    public int length() {
        return used;
    }

    public boolean isEmpty() {
        return used == 0;
    }

    /** Forgets the frames; an array that grew beyond {@code keepBytes} is let go. */
    public void clear(int keepBytes) {
        used = 0;
        if (buffer.length > keepBytes) {
            buffer = new byte[keepBytes];
        }
    }
}

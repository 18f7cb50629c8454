package dev.muster.serialization;

import java.util.UUID;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamWriteCapability;

/** A UUID: 16 bytes where the format has bytes, else a text. Both are read everywhere. */
final class UuidCodec extends Codec {

    private static final int LENGTH = 16;

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        UUID id = (UUID) value;
        if (out.has(StreamWriteCapability.CAN_WRITE_BINARY_NATIVELY)) {
            byte[] bytes = new byte[LENGTH];
            for (int i = 0; i < 8; i++) {
                bytes[i] = (byte) (id.getMostSignificantBits() >>> 56 - 8 * i);
                bytes[8 + i] = (byte) (id.getLeastSignificantBits() >>> 56 - 8 * i);
            }
            out.writeBinary(bytes);
        } else {
            out.writeString(id.toString());
        }
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        if (in.currentToken() != JsonToken.VALUE_EMBEDDED_OBJECT) {
            expect(in, JsonToken.VALUE_STRING);
            return UUID.fromString(in.getString());
        }
        byte[] bytes = in.getBinaryValue();
        if (bytes.length != LENGTH) {
            throw malformed("a UUID of " + bytes.length + " bytes");
        }
        return new UUID(bigEndian(bytes, 0), bigEndian(bytes, 8));
    }

    private static long bigEndian(byte[] bytes, int offset) {
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | bytes[offset + i] & 0xff;
        }
        return value;
    }
}

package dev.muster.serialization;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Bytes as they are in CBOR, as base64 in JSON. */
final class BytesCodec extends Codec {

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        out.writeBinary((byte[]) value);
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        if (in.currentToken() != JsonToken.VALUE_EMBEDDED_OBJECT) {
            expect(in, JsonToken.VALUE_STRING);
        }
        return in.getBinaryValue();
    }

    @Override
    Object absent() {
        return new byte[0];
    }
}

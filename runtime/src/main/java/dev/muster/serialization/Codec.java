package dev.muster.serialization;

import dev.muster.serialization.SerializationException.Reason;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * How values of one declared type are written and read.
 *
 * <p>Codecs are made once, from the types of record components, and contain each other as these do. There is none that
 * finds out at run time what it deals with: a type without a codec is a problem that is reported at the start.
 */
abstract class Codec {

    /** Writes a value that is not null. */
    abstract void write(Object value, JsonGenerator out, Trip trip);

    /** Reads a value whose first token is the current one and not null; leaves its last token as the current one. */
    abstract Object read(JsonParser in, Trip trip);

    /** What a component is when the sender does not know of it. */
    Object absent() {
        return null;
    }

    /** What a component is when the sender wrote null. */
    Object ofNull() {
        return null;
    }

    final void writeOrNull(Object value, JsonGenerator out, Trip trip) {
        if (value == null) {
            out.writeNull();
        } else {
            write(value, out, trip);
        }
    }

    final Object readOrNull(JsonParser in, Trip trip) {
        return in.currentToken() == JsonToken.VALUE_NULL ? ofNull() : read(in, trip);
    }

    static void expect(JsonParser in, JsonToken token) {
        if (in.currentToken() != token) {
            throw malformed("expected " + token + ", found " + in.currentToken());
        }
    }

    static SerializationException malformed(String what) {
        return new SerializationException(Reason.MALFORMED, what);
    }
}

package dev.muster.serialization;

import dev.muster.actor.ActorRef;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A ref, as the text that others find its actor by. */
final class RefCodec extends Codec {

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        out.writeString(trip.refs().nameOf((ActorRef<?>) value));
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        expect(in, JsonToken.VALUE_STRING);
        return trip.refs().resolve(in.getString());
    }
}

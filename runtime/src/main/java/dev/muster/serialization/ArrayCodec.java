package dev.muster.serialization;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** An array of anything but bytes. */
final class ArrayCodec extends Codec {

    private final Class<?> elementType;
    private final Codec element;

    ArrayCodec(Class<?> elementType, Codec element) {
        this.elementType = elementType;
        this.element = element;
    }

    @Override
    void write(Object array, JsonGenerator out, Trip trip) {
        int length = Array.getLength(array);
        trip.enter(length);
        out.writeStartArray(array, length);
        for (int i = 0; i < length; i++) {
            element.writeOrNull(Array.get(array, i), out, trip);
        }
        out.writeEndArray();
        trip.leave();
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        expect(in, JsonToken.START_ARRAY);
        List<Object> elements = new ArrayList<>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            elements.add(element.readOrNull(in, trip));
        }
        Object array = Array.newInstance(elementType, elements.size());
        for (int i = 0; i < elements.size(); i++) {
            Array.set(array, i, elements.get(i));
        }
        return array;
    }

    @Override
    Object absent() {
        return Array.newInstance(elementType, 0);
    }
}

package dev.muster.serialization;

import dev.muster.serialization.SerializationException.Reason;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A map whose keys can be written as texts. What is read cannot be changed, and keeps the sender's order. */
final class MapCodec extends Codec {

    private final TextCodec key;
    private final Codec value;
    private final boolean isSorted;

    MapCodec(TextCodec key, Codec value, boolean isSorted) {
        this.key = key;
        this.value = value;
        this.isSorted = isSorted;
    }

    @Override
    void write(Object map, JsonGenerator out, Trip trip) {
        Map<?, ?> entries = (Map<?, ?>) map;
        trip.enter(2 * entries.size());
        out.writeStartObject();
        for (Map.Entry<?, ?> entry : entries.entrySet()) {
            if (entry.getKey() == null) {
                throw new SerializationException(Reason.NOT_WRITABLE, "a map with null as key");
            }
            out.writeName(key.textOf(entry.getKey()));
            value.writeOrNull(entry.getValue(), out, trip);
        }
        out.writeEndObject();
        trip.leave();
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        expect(in, JsonToken.START_OBJECT);
        Map<Object, Object> entries = isSorted ? new TreeMap<>() : new LinkedHashMap<>();
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            in.nextToken();
            entries.put(key.valueOf(name), value.readOrNull(in, trip));
        }
        expect(in, JsonToken.END_OBJECT);
        return unmodifiable(entries);
    }

    @Override
    Object absent() {
        return unmodifiable(isSorted ? new TreeMap<>() : new LinkedHashMap<>());
    }

    private Object unmodifiable(Map<Object, Object> entries) {
        return isSorted
                ? Collections.unmodifiableNavigableMap((NavigableMap<Object, Object>) entries)
                : Collections.unmodifiableMap(entries);
    }
}

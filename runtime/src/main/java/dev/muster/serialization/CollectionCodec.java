package dev.muster.serialization;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A list or set. What is read cannot be changed, as befits a message, and keeps the sender's order. */
final class CollectionCodec extends Codec {

    private final Codec element;
    private final Supplier<Collection<Object>> empty;
    private final Function<Collection<Object>, Object> finished;

    private CollectionCodec(
            Codec element, Supplier<Collection<Object>> empty, Function<Collection<Object>, Object> finished) {
        this.element = element;
        this.empty = empty;
        this.finished = finished;
    }

    static CollectionCodec list(Codec element) {
        return new CollectionCodec(element, ArrayList::new, read -> Collections.unmodifiableList((List<Object>) read));
    }

    static CollectionCodec set(Codec element) {
        return new CollectionCodec(
                element, LinkedHashSet::new, read -> Collections.unmodifiableSet((Set<Object>) read));
    }

    static CollectionCodec sortedSet(Codec element) {
        return new CollectionCodec(
                element, TreeSet::new, read -> Collections.unmodifiableNavigableSet((NavigableSet<Object>) read));
    }

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        Collection<?> elements = (Collection<?>) value;
        trip.enter(elements.size());
        // Of unknown length: a collection of a user's own may have another size by now.
        out.writeStartArray();
        for (Object each : elements) {
            element.writeOrNull(each, out, trip);
        }
        out.writeEndArray();
        trip.leave();
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        expect(in, JsonToken.START_ARRAY);
        Collection<Object> elements = empty.get();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            elements.add(element.readOrNull(in, trip));
        }
        return finished.apply(elements);
    }

    @Override
    Object absent() {
        return finished.apply(empty.get());
    }
}

package dev.muster.serialization;

import dev.muster.serialization.SerializationException.Reason;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A component whose type is sealed: which of the permitted types a value has is told by a tag.
 *
 * <p>The tag is looked up in the list made from the sealed type. It is never the name of a class to be loaded.
 */
final class SealedCodec extends Codec {

    static final String TAG = "@type";

    /** Read only after all alternatives have been added, which is before the first message. */
    private final Map<Class<?>, Tagged> byType = new HashMap<>();

    private final Map<String, Alternative> byTag = new HashMap<>();

    /** Returns false if the tag is taken. */
    boolean add(String tag, Class<?> type, Alternative alternative) {
        byType.put(type, new Tagged(tag, alternative));
        return byTag.put(tag, alternative) == null;
    }

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        Tagged tagged = byType.get(value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass());
        if (tagged == null) {
            throw new SerializationException(
                    Reason.NOT_WRITABLE, value.getClass().getName() + " is not permitted here");
        }
        trip.enter(4);
        out.writeStartObject();
        out.writeName(TAG);
        out.writeString(tagged.tag);
        tagged.alternative.writeFields(value, out, trip);
        out.writeEndObject();
        trip.leave();
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        expect(in, JsonToken.START_OBJECT);
        if (!TAG.equals(in.nextName())) {
            throw malformed("an object that must begin with " + TAG);
        }
        in.nextToken();
        expect(in, JsonToken.VALUE_STRING);
        Alternative alternative = byTag.get(in.getString());
        if (alternative == null) {
            throw malformed("unknown " + TAG + " " + Printable.of(in.getString()));
        }
        return alternative.readFields(in, trip);
    }

    private record Tagged(String tag, Alternative alternative) {}
}

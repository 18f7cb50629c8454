package dev.muster.serialization;

import java.util.HashMap;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** An enum, by the names of its constants. */
final class EnumCodec extends Codec implements Alternative {

    private static final String VALUE = "value";

    private final Map<String, Object> constants = new HashMap<>();

    EnumCodec(Class<?> type) {
        for (Object constant : type.getEnumConstants()) {
            constants.put(((Enum<?>) constant).name(), constant);
        }
    }

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        out.writeString(((Enum<?>) value).name());
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        expect(in, JsonToken.VALUE_STRING);
        return constantOf(in.getString());
    }

    @Override
    public void writeFields(Object value, JsonGenerator out, Trip trip) {
        out.writeName(VALUE);
        write(value, out, trip);
    }

    @Override
    public Object readFields(JsonParser in, Trip trip) {
        Object constant = null;
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            in.nextToken();
            if (name.equals(VALUE)) {
                constant = read(in, trip);
            } else {
                in.skipChildren();
            }
        }
        expect(in, JsonToken.END_OBJECT);
        if (constant == null) {
            throw malformed("no constant given");
        }
        return constant;
    }

    /** The same where a text is needed: as key of a map. */
    TextCodec asKey() {
        return TextCodec.of(Object.class, value -> ((Enum<?>) value).name(), this::constantOf);
    }

    private Object constantOf(String name) {
        Object constant = constants.get(name);
        if (constant == null) {
            throw malformed("unknown constant " + Printable.of(name));
        }
        return constant;
    }
}

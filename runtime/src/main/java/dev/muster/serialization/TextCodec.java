package dev.muster.serialization;

import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A value that is written as a text, and can be a key of a map for that reason. */
final class TextCodec extends Codec {

    private final Function<Object, String> toText;
    private final Function<String, Object> fromText;

    private TextCodec(Function<Object, String> toText, Function<String, Object> fromText) {
        this.toText = toText;
        this.fromText = fromText;
    }

    static <T> TextCodec of(Class<T> type, Function<T, String> toText, Function<String, T> fromText) {
        return new TextCodec(value -> toText.apply(type.cast(value)), fromText::apply);
    }

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        String text = toText.apply(value);
        trip.checkLength(text);
        out.writeString(text);
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        expect(in, JsonToken.VALUE_STRING);
        return fromText.apply(in.getString());
    }

    String textOf(Object value) {
        return toText.apply(value);
    }

    Object valueOf(String text) {
        return fromText.apply(text);
    }
}

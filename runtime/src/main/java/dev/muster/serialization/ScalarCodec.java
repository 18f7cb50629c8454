package dev.muster.serialization;

import java.util.function.BiConsumer;
import java.util.function.Function;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** A value without parts. */
final class ScalarCodec extends Codec {

    private final BiConsumer<JsonGenerator, Object> writer;
    private final Function<JsonParser, Object> reader;
    private final Object zero;

    private ScalarCodec(BiConsumer<JsonGenerator, Object> writer, Function<JsonParser, Object> reader, Object zero) {
        this.writer = writer;
        this.reader = reader;
        this.zero = zero;
    }

    static <T> ScalarCodec of(Class<T> type, BiConsumer<JsonGenerator, T> writer, Function<JsonParser, T> reader) {
        return new ScalarCodec((out, value) -> writer.accept(out, type.cast(value)), reader::apply, null);
    }

    /** The same for the primitive type, which knows no null. */
    ScalarCodec orZero(Object newZero) {
        return new ScalarCodec(writer, reader, newZero);
    }

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        writer.accept(out, value);
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        return reader.apply(in);
    }

    @Override
    Object absent() {
        return zero;
    }

    @Override
    Object ofNull() {
        return zero;
    }
}

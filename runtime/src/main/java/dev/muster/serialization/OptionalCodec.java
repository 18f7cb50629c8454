package dev.muster.serialization;

import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** An {@link Optional}: its content, or null. */
final class OptionalCodec extends Codec {

    private final Codec content;

    OptionalCodec(Codec content) {
        this.content = content;
    }

    @Override
    void write(Object value, JsonGenerator out, Trip trip) {
        content.writeOrNull(((Optional<?>) value).orElse(null), out, trip);
    }

    @Override
    Object read(JsonParser in, Trip trip) {
        return Optional.of(content.read(in, trip));
    }

    @Override
    Object absent() {
        return Optional.empty();
    }

    @Override
    Object ofNull() {
        return Optional.empty();
    }
}

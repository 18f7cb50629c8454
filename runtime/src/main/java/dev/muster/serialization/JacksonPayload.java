package dev.muster.serialization;

import dev.muster.serialization.Serialization.Label;
import dev.muster.serialization.SerializationException.Reason;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.core.exc.StreamConstraintsException;

/** A record or enum in one of Jackson's formats. */
final class JacksonPayload implements Payload {

    private final JacksonFormat format;
    private final Codec codec;
    private final Label label;
    private final boolean mayBeCompressed;

    /** @param mayBeCompressed whether it comes from a system that compresses messages, which Muster does not */
    JacksonPayload(JacksonFormat format, Codec codec, Label label, boolean mayBeCompressed) {
        this.format = format;
        this.codec = codec;
        this.label = label;
        this.mayBeCompressed = mayBeCompressed;
    }

    @Override
    public Label labelOf(Object message) {
        return label;
    }

    @Override
    public void write(Object message, RefNames refs, ByteSink out) {
        try (JsonGenerator generator = format.generator(out)) {
            try {
                codec.write(message, generator, new Trip(refs, format.limits()));
            } catch (SerializationException problem) {
                throw located(problem, generator.streamWriteContext());
            } catch (JacksonException problem) {
                throw translated(Reason.NOT_WRITABLE, problem, generator.streamWriteContext());
            }
        }
    }

    @Override
    public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
        if (mayBeCompressed && Gzip.isCompressed(buffer, offset, length)) {
            byte[] inflated =
                    Gzip.inflate(buffer, offset, length, format.limits().maxInflatedBytes());
            return readPlain(inflated, 0, inflated.length, refs);
        }
        return readPlain(buffer, offset, length, refs);
    }

    private Object readPlain(byte[] buffer, int offset, int length, RefNames refs) {
        try (JsonParser parser = format.parser(buffer, offset, length)) {
            try {
                return readOne(parser, refs);
            } catch (SerializationException problem) {
                throw located(problem, parser.streamReadContext());
            } catch (JacksonException problem) {
                throw translated(Reason.MALFORMED, problem, parser.streamReadContext());
            }
        }
    }

    private Object readOne(JsonParser parser, RefNames refs) {
        if (parser.nextToken() == null) {
            throw Codec.malformed("nothing to read");
        }
        Object message = codec.read(parser, new Trip(refs, format.limits()));
        if (parser.nextToken() != null) {
            throw Codec.malformed("something follows the end of the message");
        }
        return message;
    }

    /** The same with the place in the message, which only parser and generator know. */
    private static SerializationException located(SerializationException problem, TokenStreamContext place) {
        String message = problem.getMessage() + placeOf(place);
        return problem.getCause() == null
                ? new SerializationException(problem.reason(), message)
                : new SerializationException(problem.reason(), message, problem.getCause());
    }

    private static SerializationException translated(
            Reason otherwise, JacksonException problem, TokenStreamContext place) {
        Reason reason = problem instanceof StreamConstraintsException ? Reason.LIMIT_EXCEEDED : otherwise;
        String what = problem.getOriginalMessage();
        return new SerializationException(reason, Printable.of(String.valueOf(what)) + placeOf(place));
    }

    private static String placeOf(TokenStreamContext place) {
        String pointer = place.pathAsPointer().toString();
        return pointer.isEmpty() ? "" : ", at " + Printable.of(pointer);
    }
}

package dev.muster.serialization;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.TSFBuilder;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.dataformat.cbor.CBORFactory;
import tools.jackson.dataformat.cbor.CBORReadFeature;
import tools.jackson.dataformat.cbor.CBORWriteFeature;

/**
 * Jackson's parsers and generators of one format, with limits.
 *
 * <p>Only this layer of Jackson is used, the one that knows tokens. What objects are made from them is decided by our
 * own codecs, so there is no default typing that could be switched on and no class name that could be followed.
 */
final class JacksonFormat {

    private static final int LONGEST_NAME = 1_000;
    private static final int LONGEST_NUMBER = 1_000;

    private final TokenStreamFactory factory;
    private final SerializationLimits limits;

    private JacksonFormat(TokenStreamFactory factory, SerializationLimits limits) {
        this.factory = factory;
        this.limits = limits;
    }

    static JacksonFormat cbor(SerializationLimits limits) {
        return new JacksonFormat(limited(CBORFactory.builder(), limits).build(), limits);
    }

    /**
     * As Jackson 2 writes it, which is what other systems have: numbers below those of 64 bits are one off there from
     * what the standard says.
     */
    static JacksonFormat foreignCbor(SerializationLimits limits) {
        CBORFactory factory = limited(CBORFactory.builder(), limits)
                .disable(CBORReadFeature.DECODE_USING_STANDARD_NEGATIVE_BIGINT_ENCODING)
                .disable(CBORWriteFeature.ENCODE_USING_STANDARD_NEGATIVE_BIGINT_ENCODING)
                .build();
        return new JacksonFormat(factory, limits);
    }

    static JacksonFormat json(SerializationLimits limits) {
        return new JacksonFormat(limited(JsonFactory.builder(), limits).build(), limits);
    }

    private static <F extends TokenStreamFactory, B extends TSFBuilder<F, B>> B limited(
            B builder, SerializationLimits limits) {
        return builder.streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(limits.maxDepth())
                        .maxStringLength(limits.maxStringLength())
                        .maxTokenCount(limits.maxElements())
                        .maxNameLength(LONGEST_NAME)
                        .maxNumberLength(LONGEST_NUMBER)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(limits.maxDepth())
                        .build())
                .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                .recyclerPool(JsonRecyclerPools.threadLocalPool());
    }

    TokenStreamFactory factory() {
        return factory;
    }

    SerializationLimits limits() {
        return limits;
    }

    JsonGenerator generator(ByteSink out) {
        return factory.createGenerator(ObjectWriteContext.empty(), out);
    }

    JsonParser parser(byte[] buffer, int offset, int length) {
        return factory.createParser(ObjectReadContext.empty(), buffer, offset, length);
    }
}

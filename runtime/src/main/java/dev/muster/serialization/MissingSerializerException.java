package dev.muster.serialization;

import java.util.List;
import java.util.stream.Collectors;

/** Messages that cannot travel, because nobody said how. */
public final class MissingSerializerException extends SerializationException {

    private static final String REMEDY = "name their protocol in muster.serialization.protocols or by"
            + " Serialization.builder().protocol(...), or give a MessageSerializer that handles them";

    private final transient List<Class<?>> types;

    MissingSerializerException(List<Class<?>> types) {
        super(Reason.NO_SERIALIZER, "no serializer for " + namesOf(types) + "; " + REMEDY, null);
        this.types = List.copyOf(types);
    }

    /** The classes of messages that cannot travel. */
    public List<Class<?>> types() {
        return types;
    }

    private static String namesOf(List<Class<?>> types) {
        return types.stream().map(Class::getName).collect(Collectors.joining(", "));
    }
}

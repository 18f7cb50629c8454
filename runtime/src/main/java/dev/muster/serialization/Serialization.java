package dev.muster.serialization;

import com.typesafe.config.Config;
import dev.muster.actor.ActorRef;
import dev.muster.serialization.SerializationException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All kinds of messages that this node can send and understand.
 *
 * <p>Think of the customs list of a harbour: what is on it passes without a question, what is not on it does not, and
 * the list is made before the first ship comes in. A message on the wire carries the number of its serializer and a
 * manifest, a short name for its kind. Both are looked up in this list. Nothing that comes from the wire is ever taken
 * for the name of a class.
 *
 * <p>On the list without being named: {@link String}, the boxed types, {@code byte[]}, {@link java.math.BigDecimal},
 * {@link java.math.BigInteger}, {@link java.util.UUID}, {@link java.time.Instant}, {@link java.time.Duration} and
 * {@link ActorRef}.
 *
 * <p>Immutable and safe for use by many threads.
 */
public final class Serialization {

    static final int JSON = 31;
    static final int CBOR = 33;

    private final Map<Class<?>, Payload> byType;
    private final Map<String, Payload> cbor;
    private final Map<String, Payload> json;
    private final Map<String, Payload> protobuf;
    private final Map<Integer, Payload> others;
    private final List<CustomPayload> customs;

    /** Classes that are on the list by what they extend, found when first met. */
    private final Map<Class<?>, Payload> foundLater = new ConcurrentHashMap<>();

    Serialization(
            Map<Class<?>, Payload> byType,
            Map<Integer, Map<String, Payload>> byManifest,
            Map<Integer, Payload> others,
            List<CustomPayload> customs) {
        this.byType = Map.copyOf(byType);
        this.cbor = Map.copyOf(byManifest.getOrDefault(CBOR, Map.of()));
        this.json = Map.copyOf(byManifest.getOrDefault(JSON, Map.of()));
        this.protobuf = Map.copyOf(byManifest.getOrDefault(ProtobufPayload.SERIALIZER_ID, Map.of()));
        this.others = Map.copyOf(others);
        this.customs = List.copyOf(customs);
    }

    /** An empty list, to be filled. */
    public static Builder builder() {
        return new SerializationBuilder();
    }

    /**
     * The list of {@code muster.serialization}, to be extended. What is wrong with the configuration is reported by
     * {@link Builder#build}, together with everything else.
     *
     * @param config a whole configuration that has Muster's {@code reference.conf} in it, or its part {@code muster}
     */
    public static Builder builder(Config config) {
        return SerializationSettings.read(config, Serialization.class.getClassLoader());
    }

    /** The list of {@code muster.serialization} in a configuration. */
    public static Serialization from(Config config) {
        return builder(config).build();
    }

    /**
     * Appends the message to {@code out} and returns how it is to be marked. If it fails, {@code out} is as before.
     *
     * @throws MissingSerializerException if the message is not on the list
     * @throws SerializationException if it is, but has something in it that cannot be written
     */
    public Label write(Object message, RefNames refs, ByteSink out) {
        Payload payload = payloadOf(message.getClass());
        if (payload == null) {
            throw new MissingSerializerException(List.of(message.getClass()));
        }
        int start = out.length();
        try {
            payload.write(message, refs, out);
            return payload.labelOf(message);
        } catch (Exception | Error failure) {
            out.cutTo(start);
            throw translated(message.getClass().getName(), Reason.NOT_WRITABLE, failure);
        }
    }

    /**
     * The message that some bytes mean. The bytes can be used again afterwards.
     *
     * @throws SerializationException if they mean none, and nothing else whatever the bytes are
     */
    public Object read(int serializerId, String manifest, byte[] buffer, int offset, int length, RefNames refs) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        Payload payload = payloadOf(serializerId, manifest);
        try {
            return payload.read(manifest, buffer, offset, length, refs);
        } catch (Exception | Error failure) {
            throw translated(nameOf(serializerId, manifest), Reason.MALFORMED, failure);
        }
    }

    /** Whether messages of this class can travel. */
    public boolean knows(Class<?> type) {
        return payloadOf(type) != null;
    }

    /**
     * Checks before the first message is sent that all of them can be.
     *
     * @param protocol a sealed type, or a single type of messages
     * @throws MissingSerializerException naming each type of message that cannot travel
     */
    public void require(Class<?> protocol) {
        List<Class<?>> missing = new ArrayList<>();
        for (Class<?> message : Protocol.messagesOf(protocol)) {
            if (!knows(message)) {
                missing.add(message);
            }
        }
        if (!missing.isEmpty()) {
            throw new MissingSerializerException(missing);
        }
    }

    private Payload payloadOf(Class<?> type) {
        Payload payload = byType.get(type);
        return payload == null ? payloadOfKind(type) : payload;
    }

    private Payload payloadOfKind(Class<?> type) {
        Payload payload = foundLater.get(type);
        if (payload == null) {
            payload = findByKind(type);
            if (payload != null) {
                foundLater.put(type, payload);
            }
        }
        return payload;
    }

    private Payload findByKind(Class<?> type) {
        if (ActorRef.class.isAssignableFrom(type)) {
            return byType.get(ActorRef.class);
        }
        // A constant of an enum with a body has a class of its own.
        if (type.getSuperclass() != null && type.getSuperclass().isEnum()) {
            return payloadOf(type.getSuperclass());
        }
        for (CustomPayload custom : customs) {
            if (custom.handles(type)) {
                return custom;
            }
        }
        return null;
    }

    private Payload payloadOf(int serializerId, String manifest) {
        Map<String, Payload> manifests = null;
        if (serializerId == CBOR) {
            manifests = cbor;
        } else if (serializerId == JSON) {
            manifests = json;
        } else if (serializerId == ProtobufPayload.SERIALIZER_ID) {
            manifests = protobuf;
        }
        Payload payload = manifests == null ? others.get(serializerId) : manifests.get(manifest);
        if (payload == null) {
            Reason reason = manifests == null ? Reason.UNKNOWN_SERIALIZER : Reason.UNKNOWN_MANIFEST;
            throw new SerializationException(
                    reason, "nobody here understands messages of " + nameOf(serializerId, manifest));
        }
        return payload;
    }

    private static String nameOf(int serializerId, String manifest) {
        return "serializer " + serializerId + ", manifest \"" + Printable.of(manifest) + "\"";
    }

    private static SerializationException translated(String what, Reason otherwise, Throwable failure) {
        if (failure instanceof VirtualMachineError fatal && !(failure instanceof StackOverflowError)) {
            throw fatal;
        }
        if (failure instanceof SerializationException known) {
            String message = what + ": " + known.getMessage();
            return known.getCause() == null
                    ? new SerializationException(known.reason(), message)
                    : new SerializationException(known.reason(), message, known.getCause());
        }
        Reason reason = failure instanceof StackOverflowError ? Reason.LIMIT_EXCEEDED : otherwise;
        return new SerializationException(reason, what + ": " + Printable.of(failure.toString()), failure);
    }

    /**
     * How a message is marked on the wire.
     *
     * @param serializerId which serializer wrote it
     * @param manifest which of that serializer's messages it is; may be empty
     */
    public record Label(int serializerId, String manifest) {

        public Label {
            Objects.requireNonNull(manifest, "manifest");
        }
    }

    /** Collects what a node can send and understand. Not for use by several threads. */
    public interface Builder {

        /**
         * All messages of a sealed type, or a single record, enum or protobuf message. Their manifests follow from
         * their classes, see {@link Manifest}.
         */
        Builder protocol(Class<?> type);

        /** The same, but messages that have a foreign entry are written as that says. */
        Builder protocolUnlessForeign(Class<?> type);

        /** A single record, enum or protobuf message, with a manifest that goes before any other. */
        Builder message(Class<?> type, String manifest);

        /** A serializer of the user's own. It goes before what Muster would do with the classes it handles. */
        Builder serializer(MessageSerializer serializer);

        /**
         * What another system calls a message. A type that is named here only is also written that way, for its actors
         * to understand; where there are several such names for a type, by the first.
         *
         * @param manifest mostly a class name of theirs
         * @param serializerId 33 for Jackson CBOR, 31 for Jackson JSON, 2 for protobuf
         * @param type what the message is here: a record, enum or protobuf message
         */
        Builder foreign(String manifest, int serializerId, Class<?> type);

        /** How large messages may be. */
        Builder limits(SerializationLimits limits);

        /** @throws SerializationSetupException with all problems at once */
        Serialization build();
    }
}

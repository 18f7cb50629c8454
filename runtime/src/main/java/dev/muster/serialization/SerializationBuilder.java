package dev.muster.serialization;

import dev.muster.actor.ActorRef;
import dev.muster.serialization.Serialization.Label;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Puts the list together and says everything that is wrong with it. */
final class SerializationBuilder implements Serialization.Builder {

    /** These are for Akka and Pekko themselves, and for what Muster brings along. */
    private static final int LAST_RESERVED_ID = 40;

    private static final List<Class<?>> BUILT_IN = List.of(
            Double.class,
            Float.class,
            Short.class,
            Byte.class,
            Character.class,
            BigDecimal.class,
            BigInteger.class,
            UUID.class,
            Instant.class,
            Duration.class);

    private final Set<Class<?>> messages = new LinkedHashSet<>();
    private final Map<Class<?>, String> manifests = new LinkedHashMap<>();
    private final List<MessageSerializer> serializers = new ArrayList<>();
    private final List<Foreign> foreigners = new ArrayList<>();
    private final Set<String> earlyProblems = new LinkedHashSet<>();
    private SerializationLimits limits = SerializationLimits.defaults();

    private record Foreign(String manifest, int serializerId, Class<?> type) {}

    @Override
    public Serialization.Builder protocol(Class<?> type) {
        messages.addAll(Protocol.messagesOf(type));
        return this;
    }

    @Override
    public Serialization.Builder protocolUnlessForeign(Class<?> type) {
        Protocol.messagesOf(type).stream()
                .filter(message -> foreigners.stream().noneMatch(it -> it.type().equals(message)))
                .forEach(messages::add);
        return this;
    }

    @Override
    public Serialization.Builder message(Class<?> type, String manifest) {
        Objects.requireNonNull(manifest, "manifest");
        messages.add(type);
        String earlier = manifests.putIfAbsent(type, manifest);
        if (earlier != null && !earlier.equals(manifest)) {
            problem(type.getName() + ": is given two manifests, " + earlier + " and " + manifest);
        }
        return this;
    }

    @Override
    public Serialization.Builder serializer(MessageSerializer serializer) {
        serializers.add(Objects.requireNonNull(serializer, "serializer"));
        return this;
    }

    @Override
    public Serialization.Builder foreign(String manifest, int serializerId, Class<?> type) {
        foreigners.add(new Foreign(
                Objects.requireNonNull(manifest, "manifest"), serializerId, Objects.requireNonNull(type, "type")));
        return this;
    }

    @Override
    public Serialization.Builder limits(SerializationLimits newLimits) {
        limits = Objects.requireNonNull(newLimits, "limits");
        return this;
    }

    /** Something that is wrong already with what the list is made from. */
    void problem(String what) {
        earlyProblems.add(what);
    }

    @Override
    public Serialization build() {
        return new Assembly().assemble();
    }

    /** One attempt to make the list. */
    private final class Assembly {

        private final Set<String> problems = new LinkedHashSet<>(earlyProblems);
        private final JacksonFormat cbor = JacksonFormat.cbor(limits);
        private final JacksonFormat foreignCbor = JacksonFormat.foreignCbor(limits);
        private final JacksonFormat json = JacksonFormat.json(limits);
        private final CodecCompiler compiler = new CodecCompiler(cbor.factory(), problems);
        private final Map<Class<?>, Payload> byType = new HashMap<>();
        private final Map<Integer, Map<String, Payload>> byManifest = new HashMap<>();
        private final Map<Label, Class<?>> owners = new HashMap<>();
        private final Map<Integer, Payload> others = new HashMap<>();
        private final List<CustomPayload> customs = new ArrayList<>();

        Serialization assemble() {
            addBuiltIn();
            serializers.forEach(this::addCustom);
            messages.forEach(this::addMessage);
            foreigners.forEach(this::addForeign);
            if (!problems.isEmpty()) {
                throw new SerializationSetupException(List.copyOf(problems));
            }
            return new Serialization(byType, byManifest, others, customs);
        }

        private void addBuiltIn() {
            for (SimplePayload simple : SimplePayload.values()) {
                byType.put(simple.type(), simple);
                others.put(simple.serializerId(), simple);
            }
            for (Class<?> type : BUILT_IN) {
                add(type, new Label(Serialization.CBOR, "muster." + type.getSimpleName()), false);
            }
            add(ActorRef.class, new Label(Serialization.CBOR, "muster.ActorRef"), false);
        }

        private void addCustom(MessageSerializer serializer) {
            CustomPayload custom = new CustomPayload(serializer);
            int id = custom.serializerId();
            Payload taken = others.get(id);
            if (id >= 0 && id <= LAST_RESERVED_ID) {
                problems.add(custom + ": has the id " + id + ", but 0 to " + LAST_RESERVED_ID + " are taken");
            } else if (taken != null) {
                problems.add(custom + ": has the id " + id + ", as " + taken + " has");
            } else {
                others.put(id, custom);
                customs.add(custom);
            }
        }

        private void addMessage(Class<?> type) {
            List<CustomPayload> handlers =
                    customs.stream().filter(custom -> custom.handles(type)).toList();
            if (handlers.size() > 1) {
                problems.add(type.getName() + ": is handled by several serializers, " + handlers);
            } else if (handlers.size() == 1) {
                byType.put(type, handlers.get(0));
            } else if (!byType.containsKey(type)) {
                boolean isProtobuf = ProtobufPayload.isFor(type);
                // For protobuf everybody takes the class name, and here it is never more than a name.
                String manifest = manifests.getOrDefault(type, isProtobuf ? type.getName() : Manifests.of(type));
                add(type, new Label(isProtobuf ? ProtobufPayload.SERIALIZER_ID : Serialization.CBOR, manifest), false);
            }
        }

        private void addForeign(Foreign foreign) {
            int id = foreign.serializerId;
            boolean isJackson = id == Serialization.CBOR || id == Serialization.JSON;
            if (!isJackson && id != ProtobufPayload.SERIALIZER_ID) {
                problems.add(foreign.manifest + ": cannot be read by serializer " + id
                        + "; known are 33 (Jackson CBOR), 31 (Jackson JSON) and 2 (protobuf)");
            } else if (isJackson == ProtobufPayload.isFor(foreign.type)) {
                problems.add(foreign.manifest + ": serializer " + id + " is not for " + foreign.type.getName());
            } else {
                add(foreign.type, new Label(id, foreign.manifest), true);
            }
        }

        private void add(Class<?> type, Label label, boolean isForeign) {
            String wrong = Manifests.problemWith(label.manifest());
            if (wrong != null) {
                problems.add(type.getName() + ": " + wrong);
                return;
            }
            Class<?> owner = owners.putIfAbsent(label, type);
            if (owner != null && owner != type) {
                problems.add(label.manifest() + ": is the manifest of both " + owner.getName() + " and "
                        + type.getName() + "; give one of them @Manifest(\"...\")");
                return;
            }
            Payload payload = payloadFor(type, label, isForeign);
            if (payload != null) {
                byManifest
                        .computeIfAbsent(label.serializerId(), id -> new HashMap<>())
                        .put(label.manifest(), payload);
                byType.putIfAbsent(type, payload);
            }
        }

        /** Null, and a problem more, where there can be none. */
        private Payload payloadFor(Class<?> type, Label label, boolean isForeign) {
            if (ProtobufPayload.isFor(type)) {
                return ProtobufPayload.of(type, label.manifest(), problems);
            }
            boolean isMessage = type.isRecord() || type.isEnum() || BUILT_IN.contains(type) || type == ActorRef.class;
            if (!isMessage) {
                problems.add(type.getName() + ": is no message by itself; make it a record or an enum, or give a"
                        + " MessageSerializer that handles it");
                return null;
            }
            JacksonFormat ours = isForeign ? foreignCbor : cbor;
            JacksonFormat format = label.serializerId() == Serialization.JSON ? json : ours;
            return new JacksonPayload(format, compiler.compile(type), label, isForeign);
        }
    }
}

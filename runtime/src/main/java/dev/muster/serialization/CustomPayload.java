package dev.muster.serialization;

import dev.muster.serialization.Serialization.Label;
import dev.muster.serialization.SerializationException.Reason;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Messages of a user's own serializer. */
final class CustomPayload implements Payload {

    /** A serializer that makes up a new manifest for every message must not fill the memory with labels. */
    private static final int MOST_LABELS = 1_000;

    private final MessageSerializer serializer;
    private final int id;
    private final Map<String, Label> labels = new ConcurrentHashMap<>();

    CustomPayload(MessageSerializer serializer) {
        this.serializer = serializer;
        this.id = serializer.id();
    }

    boolean handles(Class<?> type) {
        return serializer.handles(type);
    }

    int serializerId() {
        return id;
    }

    @Override
    public String toString() {
        return serializer.getClass().getName();
    }

    @Override
    public Label labelOf(Object message) {
        String manifest = serializer.manifest(message);
        Label label = labels.get(manifest);
        if (label == null) {
            label = new Label(id, manifest);
            if (labels.size() < MOST_LABELS) {
                labels.put(manifest, label);
            }
        }
        return label;
    }

    @Override
    public void write(Object message, RefNames refs, ByteSink out) {
        try {
            serializer.write(message, refs, out);
        } catch (RuntimeException failure) {
            throw refused(failure);
        }
    }

    @Override
    public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
        try {
            return serializer.read(manifest, buffer, offset, length, refs);
        } catch (RuntimeException failure) {
            throw refused(failure);
        }
    }

    private SerializationException refused(RuntimeException failure) {
        return failure instanceof SerializationException known
                ? known
                : new SerializationException(
                        Reason.REFUSED, this + " failed: " + Printable.of(failure.toString()), failure);
    }
}

package dev.muster.serialization;

import dev.muster.actor.ActorPath;
import dev.muster.actor.ActorRef;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Sends messages through bytes and back, with refs that are nothing but their names. */
final class Travel {

    static final RefNames REFS = new RefNames() {
        @Override
        public String nameOf(ActorRef<?> ref) {
            return ((NamedRef) ref).name;
        }

        @Override
        public ActorRef<?> resolve(String name) {
            if (!name.startsWith("muster://")) {
                throw new IllegalArgumentException("no address: " + name);
            }
            return new NamedRef(name);
        }
    };

    private Travel() {}

    static Object roundTrip(Serialization serialization, Object message) {
        ByteSink out = new ByteSink();
        // Neither side may rely on the message being alone in its buffer.
        out.write(new byte[] {1, 2, 3});
        Serialization.Label label = serialization.write(message, REFS, out);
        int length = out.length() - 3;
        out.write(4);
        return serialization.read(label.serializerId(), label.manifest(), out.array(), 3, length, REFS);
    }

    static byte[] bytesOf(Serialization serialization, Object message) {
        ByteSink out = new ByteSink();
        serialization.write(message, REFS, out);
        return out.toByteArray();
    }

    static Object read(Serialization serialization, int serializerId, String manifest, byte[] bytes) {
        return serialization.read(serializerId, manifest, bytes, 0, bytes.length, REFS);
    }

    /** A ref without an actor. */
    static final class NamedRef implements ActorRef<Object> {

        private final String name;

        NamedRef(String name) {
            this.name = name;
        }

        @Override
        public void tell(Object message) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void tell(Object message, ActorRef<?> replyTo) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> CompletableFuture<R> ask(Object message, Class<R> replyType) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> CompletableFuture<R> ask(Object message, Class<R> replyType, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <R> CompletableFuture<R> ask(Function<ActorRef<R>, Object> message, Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ActorPath path() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof NamedRef ref && ref.name.equals(name);
        }

        @Override
        public int hashCode() {
            return Objects.hash(name);
        }
    }
}

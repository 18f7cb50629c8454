package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A user's own serializer goes before what Muster would do. */
class OwnSerializerTest {

    sealed interface Shape permits Circle, Weird {}

    record Circle(double radius) implements Shape {}

    /** Muster could not write it. */
    static final class Weird implements Shape {
        private final int state;

        Weird(int state) {
            this.state = state;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Weird weird && weird.state == state;
        }

        @Override
        public int hashCode() {
            return state;
        }
    }

    private final Serialization serialization = Serialization.builder()
            .protocol(Shape.class)
            .serializer(new WeirdSerializer())
            .build();

    @Test
    void itsMessagesTravel() {
        serialization.require(Shape.class);
        assertThat(Travel.roundTrip(serialization, new Weird(77))).isEqualTo(new Weird(77));
        assertThat(Travel.roundTrip(serialization, new Circle(0.5))).isEqualTo(new Circle(0.5));
    }

    @Test
    void itsLabelsAreMadeOnce() {
        ByteSink out = new ByteSink();
        assertThat(serialization.write(new Weird(1), Travel.REFS, out))
                .isEqualTo(new Serialization.Label(-3, "w1"))
                .isSameAs(serialization.write(new Weird(1), Travel.REFS, out));
    }

    @Test
    void itHandlesClassesThatNobodyRegistered() {
        Serialization unregistered =
                Serialization.builder().serializer(new WeirdSerializer()).build();
        assertThat(unregistered.knows(Weird.class)).isTrue();
        assertThat(unregistered.knows(Circle.class)).isFalse();
        assertThat(Travel.roundTrip(unregistered, new Weird(1))).isEqualTo(new Weird(1));
    }

    /** Public, with a public constructor, as the configuration needs it. */
    public static final class WeirdSerializer implements MessageSerializer {

        @Override
        public int id() {
            return -3;
        }

        @Override
        public String manifest(Object message) {
            return "w" + ((Weird) message).state % 2;
        }

        @Override
        public boolean handles(Class<?> type) {
            return type == Weird.class;
        }

        @Override
        public void write(Object message, RefNames refs, ByteSink out) {
            out.write(((Weird) message).state);
        }

        @Override
        public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
            return new Weird(buffer[offset]);
        }
    }
}

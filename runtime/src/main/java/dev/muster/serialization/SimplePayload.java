package dev.muster.serialization;

import dev.muster.serialization.Serialization.Label;
import dev.muster.serialization.SerializationException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The simplest messages, in the forms that Akka and Pekko have for them: numbers with their lowest byte first. */
@SuppressWarnings("ImmutableEnumChecker") // A label is a number and a text, which nobody can change.
enum SimplePayload implements Payload {
    BYTES(4, byte[].class) {
        @Override
        public void write(Object message, RefNames refs, ByteSink out) {
            out.write((byte[]) message);
        }

        @Override
        public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
            return Arrays.copyOfRange(buffer, offset, offset + length);
        }
    },

    LONG(18, Long.class) {
        @Override
        public void write(Object message, RefNames refs, ByteSink out) {
            out.writeLongLittleEndian((Long) message);
        }

        @Override
        public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
            requireLength(8, length);
            return littleEndian(buffer, offset, 8);
        }
    },

    INTEGER(19, Integer.class) {
        @Override
        public void write(Object message, RefNames refs, ByteSink out) {
            out.writeIntLittleEndian((Integer) message);
        }

        @Override
        public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
            requireLength(4, length);
            return (int) littleEndian(buffer, offset, 4);
        }
    },

    STRING(20, String.class) {
        @Override
        public void write(Object message, RefNames refs, ByteSink out) {
            out.write(((String) message).getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
            String text = new String(buffer, offset, length, StandardCharsets.UTF_8);
            // Wrong bytes become this character. It may also have been sent, which is rare enough to look twice.
            if (text.indexOf('\uFFFD') >= 0
                    && !Arrays.equals(
                            text.getBytes(StandardCharsets.UTF_8),
                            Arrays.copyOfRange(buffer, offset, offset + length))) {
                throw Codec.malformed("a text that is not UTF-8");
            }
            return text;
        }
    },

    BOOLEAN(35, Boolean.class) {
        @Override
        public void write(Object message, RefNames refs, ByteSink out) {
            out.write((Boolean) message ? 1 : 0);
        }

        @Override
        public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
            requireLength(1, length);
            return buffer[offset] != 0;
        }
    };

    private final Label label;
    private final Class<?> type;

    SimplePayload(int serializerId, Class<?> type) {
        this.label = new Label(serializerId, "");
        this.type = type;
    }

    /** The class of the messages. */
    Class<?> type() {
        return type;
    }

    int serializerId() {
        return label.serializerId();
    }

    @Override
    public Label labelOf(Object message) {
        return label;
    }

    private static void requireLength(int expected, int length) {
        if (length != expected) {
            throw new SerializationException(Reason.MALFORMED, "expected " + expected + " bytes, found " + length);
        }
    }

    private static long littleEndian(byte[] buffer, int offset, int count) {
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = value << 8 | buffer[offset + i] & 0xff;
        }
        return value;
    }
}

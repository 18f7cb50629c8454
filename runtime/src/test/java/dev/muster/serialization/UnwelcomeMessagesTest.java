package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.muster.serialization.SerializationException.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Whatever is wrong with a message, its caller gets a {@link SerializationException} and nothing else. */
class UnwelcomeMessagesTest {

    record Nested(List<Nested> inside) {}

    record Texts(Map<String, String> texts) {}

    record Positive(int value) {
        Positive {
            if (value < 0) {
                throw new IllegalArgumentException("must not be negative, was " + value);
            }
        }
    }

    record Endless(int value) {
        Endless {
            if (value > 0) {
                throw new StackOverflowError();
            }
        }

        @Override
        public int value() {
            if (value < 0) {
                throw new AssertionError("never asked for");
            }
            return value;
        }
    }

    static final class Custom {}

    private final Serialization serialization = Serialization.builder()
            .protocol(Nested.class)
            .protocol(Texts.class)
            .protocol(Positive.class)
            .protocol(Endless.class)
            .protocol(Orders.Command.class)
            .serializer(new Failing())
            .build();

    @Test
    void whatContainsItselfIsNotWritten() {
        List<Nested> inside = new ArrayList<>();
        Nested cycle = new Nested(inside);
        inside.add(cycle);
        assertThat(refusalOf(() -> write(cycle)))
                .hasMessageContaining("100 levels")
                .hasMessageContaining("contain itself")
                .extracting(SerializationException::reason)
                .isEqualTo(Reason.LIMIT_EXCEEDED);
    }

    @Test
    void depthIsLimitedAlikeWhenWritingAndReading() {
        for (int depth = 2; depth <= 120; depth += 2) {
            Nested nested = new Nested(List.of());
            for (int i = 2; i < depth; i += 2) {
                nested = new Nested(List.of(nested));
            }
            Nested message = nested;
            if (depth <= 100) {
                assertThat(Travel.roundTrip(serialization, message)).isEqualTo(message);
            } else {
                assertThat(refusalOf(() -> write(message)).reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
            }
        }
    }

    @Test
    void whatIsTooDeepIsNotRead() {
        // {"inside": [{"inside": [...
        byte[] level = HexFormat.of().parseHex("a166696e7369646581");
        byte[] deep = new byte[level.length * 100_000];
        for (int i = 0; i < deep.length; i++) {
            deep[i] = level[i % level.length];
        }
        assertThat(refusalOf(() -> read("UnwelcomeMessagesTest.Nested", deep)).reason())
                .isEqualTo(Reason.LIMIT_EXCEEDED);
        byte[] unknown = new byte[1_000_000];
        Arrays.fill(unknown, (byte) 0x81);
        unknown[0] = (byte) 0xa1;
        unknown[1] = 0x61;
        unknown[2] = 'x';
        assertThat(refusalOf(() -> read("UnwelcomeMessagesTest.Nested", unknown))
                        .reason())
                .isEqualTo(Reason.LIMIT_EXCEEDED);
    }

    @Test
    void whatHasTooManyElementsIsNeitherWrittenNorRead() {
        List<Nested> many = Collections.nCopies(600_000, new Nested(null));
        assertThat(refusalOf(() -> write(new Nested(many))).reason()).isEqualTo(Reason.LIMIT_EXCEEDED);

        byte[] bytes = new byte[2_000_000];
        Arrays.fill(bytes, (byte) 0xa0);
        byte[] start = HexFormat.of().parseHex("a166696e736964659f");
        System.arraycopy(start, 0, bytes, 0, start.length);
        assertThat(refusalOf(() -> read("UnwelcomeMessagesTest.Nested", bytes)).reason())
                .isEqualTo(Reason.LIMIT_EXCEEDED);
    }

    @Test
    void aTextThatIsTooLongIsNotWritten() {
        Serialization strict = Serialization.builder()
                .protocol(Texts.class)
                .limits(new SerializationLimits(10, 100, 1_000, 1_000))
                .build();
        Texts message = new Texts(Map.of("a", "x".repeat(101)));
        assertThat(refusalOf(() -> strict.write(message, Travel.REFS, new ByteSink()))
                        .reason())
                .isEqualTo(Reason.LIMIT_EXCEEDED);
    }

    @Test
    void lengthsThatLieTakeNoMemory() {
        for (String head : List.of("7a7fffffff", "5a7fffffff", "9a7fffffff", "ba7fffffff", "7b7fffffffffffffff")) {
            byte[] bytes = HexFormat.of().parseHex("a166696e73696465" + head + "61");
            assertThat(refusalOf(() -> read("UnwelcomeMessagesTest.Nested", bytes)))
                    .isNotNull();
        }
    }

    @Test
    void whatTheConstructorRefusesIsRefused() {
        byte[] bytes = HexFormat.of().parseHex("a16576616c756520");
        assertThat(refusalOf(() -> read("UnwelcomeMessagesTest.Positive", bytes)))
                .hasMessageContaining("must not be negative, was -1")
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .extracting(SerializationException::reason)
                .isEqualTo(Reason.REFUSED);
    }

    @Test
    void errorsInTheMessagesOwnCodeAreItsOwn() {
        byte[] bytes = HexFormat.of().parseHex("a16576616c756501");
        assertThat(refusalOf(() -> read("UnwelcomeMessagesTest.Endless", bytes)).reason())
                .isEqualTo(Reason.REFUSED);
        assertThat(refusalOf(() -> write(new Endless(-1))).reason()).isEqualTo(Reason.REFUSED);
        assertThat(refusalOf(() -> write(new Custom())).reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
        assertThat(refusalOf(() -> serialization.read(4711, "m", new byte[0], 0, 0, Travel.REFS)))
                .hasMessageContaining("on purpose")
                .extracting(SerializationException::reason)
                .isEqualTo(Reason.REFUSED);
    }

    @Test
    void aFailedMessageLeavesNothingBehind() {
        ByteSink out = new ByteSink();
        out.write(7);
        List<Nested> inside = new ArrayList<>();
        inside.add(new Nested(inside));
        refusalOf(() -> serialization.write(inside.get(0), Travel.REFS, out));
        assertThat(out.toByteArray()).containsExactly(7);
        serialization.write("fine", Travel.REFS, out);
        assertThat(out.length()).isEqualTo(5);
    }

    @Test
    void theSinkHasABound() {
        ByteSink small = new ByteSink(4, 16);
        assertThat(refusalOf(() -> serialization.write("x".repeat(17), Travel.REFS, small))
                        .reason())
                .isEqualTo(Reason.LIMIT_EXCEEDED);
        assertThat(refusalOf(() -> serialization.write(new Texts(Map.of("a", "x".repeat(17))), Travel.REFS, small))
                        .reason())
                .isEqualTo(Reason.LIMIT_EXCEEDED);
        serialization.write("x".repeat(16), Travel.REFS, small);
        assertThat(small.length()).isEqualTo(16);
    }

    @Test
    void theWrongTypeIsRefusedWithItsPlace() {
        byte[] bytes = Travel.bytesOf(serialization, Orders.everything());
        assertThat(refusalOf(() -> read("Orders.Place", Travel.bytesOf(serialization, 5L))))
                .isNotNull();
        assertThat(refusalOf(() -> read("Orders.Grow", HexFormat.of().parseHex("a1647472656501"))))
                .hasMessageContaining("Orders.Grow")
                .hasMessageContaining("at /tree");
        assertThat(refusalOf(() -> read("Orders.Everything", Arrays.copyOf(bytes, bytes.length - 1))))
                .isNotNull();
        assertThat(refusalOf(() -> read("Orders.Everything", Arrays.copyOf(bytes, bytes.length + 1))))
                .hasMessageContaining("follows the end");
        assertThat(refusalOf(() -> read("Orders.Pause", new byte[0]))).hasMessageContaining("nothing to read");
    }

    @Test
    void nullKeysAreNotWritten() {
        Map<String, String> map = new HashMap<>();
        map.put(null, "x");
        assertThat(refusalOf(() -> write(new Texts(map))).reason()).isEqualTo(Reason.NOT_WRITABLE);
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // The very point.
    void aListThatHoldsSomethingElseIsNotWritten() {
        List<Nested> polluted = (List) List.of("no Nested");
        assertThat(refusalOf(() -> write(new Nested(polluted))).reason()).isEqualTo(Reason.NOT_WRITABLE);
    }

    @Test
    void textsOfStrangersAreEscapedAndCut() {
        String manifest = "evil\r\n\u001b[31m\u202e" + "x".repeat(60_000);
        assertThat(refusalOf(() -> read(manifest, new byte[0])).getMessage())
                .hasSizeLessThan(300)
                .contains("evil\\u000d\\u000a\\u001b[31m\\u202e")
                .isPrintable();
        byte[] unknownTag = HexFormat.of().parseHex("a16474726565a16540747970656a0d0a0d0a0d0a0d0a0d0a");
        assertThat(refusalOf(() -> read("Orders.Grow", unknownTag)).getMessage())
                .contains("unknown @type")
                .isPrintable();
    }

    private Object read(String manifest, byte[] bytes) {
        return Travel.read(serialization, 33, manifest, bytes);
    }

    private void write(Object message) {
        serialization.write(message, Travel.REFS, new ByteSink());
    }

    private static SerializationException refusalOf(ThrowingCallable call) {
        return catchThrowableOfType(SerializationException.class, call);
    }

    /** Fails whenever it can. */
    static final class Failing implements MessageSerializer {

        @Override
        public int id() {
            return 4711;
        }

        @Override
        public String manifest(Object message) {
            return "m";
        }

        @Override
        public boolean handles(Class<?> type) {
            return type == Custom.class;
        }

        @Override
        public void write(Object message, RefNames refs, ByteSink out) {
            throw new StackOverflowError();
        }

        @Override
        public Object read(String manifest, byte[] buffer, int offset, int length, RefNames refs) {
            throw new IllegalStateException("on purpose");
        }
    }
}

package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What arrives is equal to what was sent. */
class RoundTripTest {

    private final Serialization orders = Orders.serialization();

    static List<Object> messages() {
        Travel.NamedRef ref = new Travel.NamedRef("muster://shop@127.0.0.1:2551/user/till#-5");
        return List.of(
                new Orders.Place("Ada", List.of(new Orders.Line("soap", 2, new BigDecimal("1.50"))), ref.narrow()),
                new Orders.Place(null, null, null),
                new Orders.Cancel(-1),
                new Orders.Pause(),
                Orders.Switch.ON,
                Orders.Switch.OFF,
                new Orders.Grow(Orders.tree()),
                Orders.everything(),
                new Orders.Placed(1L << 40),
                "a text with ü, 漢字 and 😀",
                "",
                "\uFFFD is a character, too",
                42,
                -1L,
                true,
                false,
                2.5,
                -0.25f,
                (short) 3,
                (byte) -4,
                'c',
                new BigDecimal("3.10"),
                BigInteger.TEN.pow(100),
                new UUID(3, 4),
                Instant.EPOCH,
                Duration.ofDays(3),
                ref);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void aMessageArrivesAsItWasSent(Object message) {
        assertThat(Travel.roundTrip(orders, message)).isEqualTo(message).hasSameClassAs(message);
    }

    @Test
    void bytesArriveAsTheyWereSent() {
        assertThat((byte[]) Travel.roundTrip(orders, new byte[] {1, 2, -3})).containsExactly(1, 2, -3);
    }

    @SuppressWarnings("ArrayRecordComponent") // Users have them all the same.
    record Arrays(byte[] bytes, int[] numbers, String[] texts, double[][] matrix, Orders.Tree[] trees) {}

    @Test
    void arraysArriveAsTheyWereSent() {
        Serialization serialization =
                Serialization.builder().protocol(Arrays.class).build();
        Arrays sent = new Arrays(
                new byte[] {0, -1},
                new int[] {1, 2},
                new String[] {"a", null},
                new double[][] {{1.5}, {}},
                new Orders.Tree[] {new Orders.Leaf(1)});
        Arrays received = (Arrays) Travel.roundTrip(serialization, sent);
        assertThat(received.bytes).isEqualTo(sent.bytes);
        assertThat(received.numbers).isEqualTo(sent.numbers);
        assertThat(received.texts).isEqualTo(sent.texts);
        assertThat(received.matrix).isDeepEqualTo(sent.matrix);
        assertThat(received.trees).isEqualTo(sent.trees);
    }

    @Test
    void collectionsThatArriveCannotBeChanged() {
        Orders.Place received = (Orders.Place) Travel.roundTrip(orders, new Orders.Place("Ada", List.of(), null));
        assertThatThrownBy(() -> received.lines().add(null)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void manyThreadsShareOneList() {
        List<Object> received = IntStream.range(0, 10_000)
                .parallel()
                .mapToObj(i -> Travel.roundTrip(orders, new Orders.Grow(new Orders.Leaf(i))))
                .toList();
        for (int i = 0; i < received.size(); i++) {
            assertThat(received.get(i)).isEqualTo(new Orders.Grow(new Orders.Leaf(i)));
        }
    }

    @Test
    void labelsAreMadeOnce() {
        ByteSink out = new ByteSink();
        assertThat(orders.write(new Orders.Cancel(1), Travel.REFS, out))
                .isSameAs(orders.write(new Orders.Cancel(2), Travel.REFS, out));
        assertThat(orders.write("a", Travel.REFS, out)).isSameAs(orders.write("b", Travel.REFS, out));
    }

    @Test
    void everyMessageOfAProtocolIsKnown() {
        orders.require(Orders.Command.class);
        orders.require(Orders.Reply.class);
        orders.require(String.class);
        assertThat(orders.knows(Orders.Pause.class)).isTrue();
        assertThat(orders.knows(Orders.Line.class)).isFalse();
    }

    @Test
    void whatIsMissingIsNamedWithTheRemedy() {
        Serialization some =
                Serialization.builder().protocol(Orders.Cancel.class).build();
        assertThatThrownBy(() -> some.require(Orders.Control.class))
                .isInstanceOf(MissingSerializerException.class)
                .hasMessageContaining("Orders$Pause")
                .hasMessageContaining("Orders$Switch")
                .hasMessageContaining("muster.serialization.protocols");
        assertThatThrownBy(() -> some.write(new Orders.Pause(), Travel.REFS, new ByteSink()))
                .isInstanceOf(MissingSerializerException.class)
                .hasMessageContaining("Orders$Pause");
        assertThatThrownBy(() -> some.require(Object.class)).isInstanceOf(MissingSerializerException.class);
    }
}

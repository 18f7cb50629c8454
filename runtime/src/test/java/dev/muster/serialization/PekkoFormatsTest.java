package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes of simple messages are those that Pekko's own serializers make, or Jackson for records there. */
class PekkoFormatsTest {

    private final Serialization serialization =
            Serialization.builder().protocol(Point.class).build();

    record Point(int x, String name, Double missing) {}

    @Test
    void numbersHaveTheirLowestByteFirst() {
        assertThat(hexOf(0x01020304)).isEqualTo("04030201");
        assertThat(hexOf(0x0102030405060708L)).isEqualTo("0807060504030201");
        assertThat(hexOf(-2)).isEqualTo("feffffff");
        assertThat(hexOf(true)).isEqualTo("01");
        assertThat(hexOf(false)).isEqualTo("00");
        assertThat(hexOf("ä")).isEqualTo("c3a4");
    }

    @Test
    void recordsAreMapsOfNamesAndValues() {
        assertThat(hexOf(new Point(1, "a", null)))
                .isEqualTo("a3" + "6178" + "01" + "646e616d65" + "6161" + "676d697373696e67" + "f6");
    }

    @Test
    void mapsOfUnknownLengthAreUnderstoodToo() {
        byte[] bytes = HexFormat.of().parseHex("bf" + "6178" + "01" + "646e616d65" + "6161" + "ff");
        assertThat(Travel.read(serialization, 33, "PekkoFormatsTest.Point", bytes))
                .isEqualTo(new Point(1, "a", null));
    }

    @ParameterizedTest
    @CsvSource({"18, 00000000000000", "18, 000000000000000000", "19, 000000", "19, 0000000000", "35, 0000", "35,"})
    void otherLengthsAreRefused(int serializerId, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex == null ? "" : hex);
        assertThatThrownBy(() -> Travel.read(serialization, serializerId, "", bytes))
                .isInstanceOfSatisfying(
                        SerializationException.class,
                        problem -> assertThat(problem.reason()).isEqualTo(SerializationException.Reason.MALFORMED));
    }

    @ParameterizedTest
    @CsvSource({"c3", "ff", "c0af", "eda080", "61efbfbdff"})
    void textsThatAreNotUtf8AreRefused(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThatThrownBy(() -> Travel.read(serialization, 20, "", bytes))
                .isInstanceOf(SerializationException.class)
                .hasMessageContaining("not UTF-8");
    }

    @Test
    void aManifestOnASimpleMessageDoesNotMatter() {
        byte[] bytes = "x".getBytes(StandardCharsets.UTF_8);
        assertThat(Travel.read(serialization, 20, "java.lang.String", bytes)).isEqualTo("x");
    }

    private String hexOf(Object message) {
        return HexFormat.of().formatHex(Travel.bytesOf(serialization, message));
    }
}

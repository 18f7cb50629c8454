package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Int64Value;
import com.google.protobuf.StringValue;
import dev.muster.serialization.SerializationException.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Messages of other systems: mapped by entries, never loaded by their class names. */
class ForeignMessagesTest {

    private static final String PLACE = "com.shop.Orders$Place";
    private static final String JSON =
            "{\"customer\":\"Ada\",\"lines\":[{\"article\":\"soap\",\"count\":2,\"price\":1.50}],"
                    + "\"replyTo\":\"muster://shop@127.0.0.1:2551/user/till\",\"more\":{\"a\":[1]}}";
    private static final Orders.Place MEANING = new Orders.Place(
            "Ada",
            List.of(new Orders.Line("soap", 2, new BigDecimal("1.50"))),
            new Travel.NamedRef("muster://shop@127.0.0.1:2551/user/till").narrow());

    private final Serialization serialization = Serialization.builder()
            .foreign(PLACE, 31, Orders.Place.class)
            .foreign("com.shop.Cancel", 33, Orders.Cancel.class)
            .protocol(Orders.Cancel.class)
            .foreign("com.shop.Name", 2, StringValue.class)
            .protocol(Int64Value.class)
            .build();

    @Test
    void jsonIsRead() {
        assertThat(Travel.read(serialization, 31, PLACE, utf8(JSON))).isEqualTo(MEANING);
    }

    @Test
    void compressedJsonIsRead() throws IOException {
        assertThat(Travel.read(serialization, 31, PLACE, gzip(utf8(JSON)))).isEqualTo(MEANING);
    }

    @Test
    void aTypeThatOnlyHasAForeignNameIsWrittenUnderIt() {
        ByteSink out = new ByteSink();
        assertThat(serialization.write(MEANING, Travel.REFS, out)).isEqualTo(new Serialization.Label(31, PLACE));
        assertThat(new String(out.toByteArray(), StandardCharsets.UTF_8)).startsWith("{\"customer\":\"Ada\"");
        assertThat(Travel.roundTrip(serialization, MEANING)).isEqualTo(MEANING);
    }

    @Test
    void aTypeThatAlsoHasAnOwnNameIsWrittenUnderThat() {
        ByteSink out = new ByteSink();
        assertThat(serialization.write(new Orders.Cancel(7), Travel.REFS, out).manifest())
                .isEqualTo("Orders.Cancel");
        assertThat(Travel.read(serialization, 33, "com.shop.Cancel", out.toByteArray()))
                .isEqualTo(new Orders.Cancel(7));
    }

    @Test
    void protobufMessagesAreReadByTheirRegisteredNames() {
        StringValue name = StringValue.of("Ada");
        assertThat(serialization.write(name, Travel.REFS, new ByteSink()).manifest())
                .isEqualTo("com.shop.Name");
        assertThat(Travel.roundTrip(serialization, name)).isEqualTo(name);
        assertThat(serialization.write(Int64Value.of(1), Travel.REFS, new ByteSink()))
                .isEqualTo(new Serialization.Label(2, "com.google.protobuf.Int64Value"));
        assertThat(Travel.roundTrip(serialization, Int64Value.of(5))).isEqualTo(Int64Value.of(5));
    }

    record Debt(BigInteger amount) {}

    @Test
    void hugeNegativeNumbersAreThoseOfTheOtherSystem() {
        Serialization foreign =
                Serialization.builder().foreign("com.shop.Debt", 33, Debt.class).build();
        Debt debt = new Debt(BigInteger.TWO.pow(70).negate());
        assertThat(HexFormat.of().formatHex(Travel.bytesOf(foreign, debt))).endsWith("c349400000000000000000");
        assertThat(Travel.roundTrip(foreign, debt)).isEqualTo(debt);
    }

    record Identity(UUID id, Locale language) {}

    @Test
    void idsAreBytesOrTextsAndLanguagesHaveEitherSign() {
        Serialization foreign = Serialization.builder()
                .foreign("com.shop.Identity", 33, Identity.class)
                .foreign("com.shop.Identity", 31, Identity.class)
                .build();
        Identity identity = new Identity(new UUID(1, -2), Locale.GERMANY);
        assertThat(HexFormat.of().formatHex(Travel.bytesOf(foreign, identity)))
                .contains("50" + "0000000000000001" + "fffffffffffffffe");
        assertThat(Travel.roundTrip(foreign, identity)).isEqualTo(identity);
        byte[] text = utf8("{\"id\":\"" + identity.id + "\",\"language\":\"de_DE\"}");
        assertThat(Travel.read(foreign, 31, "com.shop.Identity", text)).isEqualTo(identity);
    }

    @Test
    void classNamesThatNobodyRegisteredMeanNothing() {
        refuses(Reason.UNKNOWN_MANIFEST, 2, "com.google.protobuf.BoolValue", new byte[0]);
        refuses(Reason.UNKNOWN_MANIFEST, 33, "dev.muster.serialization.Orders$Cancel", new byte[0]);
        refuses(Reason.UNKNOWN_MANIFEST, 31, "java.util.ArrayList", utf8("[]"));
        refuses(Reason.UNKNOWN_SERIALIZER, 1, "", new byte[] {(byte) 0xac, (byte) 0xed, 0, 5});
    }

    @Test
    void brokenProtobufIsRefused() {
        refuses(Reason.MALFORMED, 2, "com.shop.Name", new byte[] {10, 100, 1});
    }

    @Test
    void aBombIsNotInflated() throws IOException {
        byte[] bomb = gzip(new byte[9 * 1024 * 1024]);
        assertThat(bomb.length).isLessThan(10_000);
        refuses(Reason.LIMIT_EXCEEDED, 31, PLACE, bomb);
    }

    @Test
    void brokenCompressionIsRefused() throws IOException {
        byte[] good = gzip(utf8(JSON));
        for (int length = 2; length < good.length; length++) {
            refuses(Reason.MALFORMED, 31, PLACE, Arrays.copyOf(good, length));
        }
        byte[] wrongChecksum = good.clone();
        wrongChecksum[good.length - 6]++;
        refuses(Reason.MALFORMED, 31, PLACE, wrongChecksum);
    }

    @Test
    void ownMessagesAreNeverCompressed() throws IOException {
        refuses(Reason.MALFORMED, 33, "Orders.Cancel", gzip(Travel.bytesOf(serialization, new Orders.Cancel(1))));
    }

    private void refuses(Reason reason, int serializerId, String manifest, byte[] bytes) {
        assertThatThrownBy(() -> Travel.read(serialization, serializerId, manifest, bytes))
                .isInstanceOfSatisfying(
                        SerializationException.class,
                        problem -> assertThat(problem.reason()).isEqualTo(reason));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
            zip.write(bytes);
        }
        return out.toByteArray();
    }
}

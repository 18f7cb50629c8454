package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.wire.WireException.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class BoundedGzipTest {
    private final Random random = new Random(7);

    @Test
    void whatIsZippedHereIsUnzippedByOthersAndBack() throws IOException {
        for (int i = 0; i < 200; i++) {
            byte[] bytes = bytes(random.nextInt(100_000), 1 + random.nextInt(255));
            assertThat(unzippedByTheJdk(BoundedGzip.zip(bytes))).isEqualTo(bytes);
            assertThat(unzip(zippedByTheJdk(bytes))).isEqualTo(bytes);
        }
    }

    @Test
    void partsAreZippedAsOne() throws IOException {
        byte[] one = bytes(1_000, 50);
        byte[] other = bytes(20_000, 3);

        assertThat(unzippedByTheJdk(BoundedGzip.zip(one, new byte[0], other))).isEqualTo(joined(one, other));
        assertThat(unzippedByTheJdk(BoundedGzip.zip())).isEmpty();
    }

    @Test
    void aPrefixIsPutInFrontWithoutZippingTheRestAgain() throws IOException {
        for (int size : new int[] {0, 1, 100, 30_000}) {
            byte[] prefix = bytes(random.nextInt(300), 200);
            byte[] body = bytes(size, 20);
            byte[] zipped = BoundedGzip.zipPrefixed(prefix, body, size, BoundedGzip.zip(body));

            assertThat(unzippedByTheJdk(zipped)).isEqualTo(joined(prefix, body));
            assertThat(unzip(zipped)).isEqualTo(joined(prefix, body));
        }
    }

    @Test
    void aThousandToOneIsABomb() throws IOException {
        byte[] bomb = zippedByTheJdk(new byte[4 * 1024 * 1024]);

        assertRefused(bomb, Reason.BOMB);
    }

    @Test
    void moreThanEightMegabytesIsABombWhateverTheRatio() throws IOException {
        byte[] huge = new byte[BoundedGzip.MOST_BYTES + 1];
        random.nextBytes(huge);

        assertRefused(zippedByTheJdk(huge), Reason.BOMB);
    }

    @Test
    void aBombThatLiesAboutItsSizeIsFoundOutAtTheFirstByteTooMany() throws IOException {
        byte[] bomb = zippedByTheJdk(new byte[4 * 1024 * 1024]);
        Arrays.fill(bomb, bomb.length - 4, bomb.length, (byte) 0);
        bomb[bomb.length - 4] = 100;

        assertRefused(bomb, Reason.BOMB);
    }

    @Test
    void smallThingsMayCompressWell() throws IOException {
        byte[] repetitive = new byte[BoundedGzip.HARMLESS_BYTES];

        assertThat(unzip(zippedByTheJdk(repetitive))).isEqualTo(repetitive);
    }

    @Test
    void callersMayAllowLess() {
        byte[] zipped = BoundedGzip.zip(bytes(1_001, 256));

        assertThatThrownBy(() -> BoundedGzip.unzip(zipped, 0, zipped.length, 1_000, 100))
                .isInstanceOfSatisfying(
                        WireException.class, e -> assertThat(e.reason()).isEqualTo(Reason.BOMB));
    }

    @Test
    void anySingleWrongByteIsNoticed() {
        byte[] bytes = bytes(500, 30);
        byte[] zipped = BoundedGzip.zip(bytes);
        for (int i = 0; i < zipped.length; i++) {
            byte[] wrong = zipped.clone();
            wrong[i] = (byte) (wrong[i] ^ 1 << random.nextInt(8));
            try {
                assertThat(unzip(wrong)).isEqualTo(bytes); // time and system in the head mean nothing
                assertThat(i).isBetween(3, 9);
            } catch (WireException e) {
                assertThat(e.reason()).isIn(Reason.MALFORMED, Reason.BOMB);
            }
        }
    }

    @Test
    void piecesAndLeftoversAreRefused() {
        byte[] zipped = BoundedGzip.zip(bytes(500, 30));
        for (int length = 0; length < zipped.length; length++) {
            assertRefused(Arrays.copyOf(zipped, length), null);
        }
        assertRefused(joined(zipped, new byte[] {1}), null);
        assertRefused(joined(zipped, zipped), Reason.MALFORMED);
    }

    private static void assertRefused(byte[] zipped, Reason reason) {
        assertThatThrownBy(() -> unzip(zipped)).isInstanceOfSatisfying(WireException.class, e -> {
            if (reason != null) {
                assertThat(e.reason()).isEqualTo(reason);
            }
        });
    }

    private static byte[] unzip(byte[] zipped) {
        return BoundedGzip.unzip(zipped, 0, zipped.length, BoundedGzip.MOST_BYTES, BoundedGzip.MOST_RATIO);
    }

    private byte[] bytes(int size, int variety) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) random.nextInt(variety);
        }
        return bytes;
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private static byte[] zippedByTheJdk(byte[] bytes) throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes);
        }
        return zipped.toByteArray();
    }

    private static byte[] unzippedByTheJdk(byte[] zipped) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
            return in.readAllBytes();
        }
    }
}

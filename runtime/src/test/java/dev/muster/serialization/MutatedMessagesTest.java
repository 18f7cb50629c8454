package dev.muster.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ListValue;
import com.google.protobuf.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/** Bytes that were changed on the way are read or refused, and nothing else happens. */
class MutatedMessagesTest {

    private static final int ROUNDS = 100_000;
    private static final long SEED = 20_261_116L;

    private final Serialization serialization = Serialization.builder()
            .protocol(Orders.Command.class)
            .protocol(Orders.Reply.class)
            .foreign("json", 31, Orders.Everything.class)
            .protocol(ListValue.class)
            .build();

    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Sample(int serializerId, String manifest, byte[] bytes) {}

    @Test
    void nothingButARefusalEscapes() throws IOException {
        List<Sample> samples = samples();
        Random random = new Random(SEED);
        int understood = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Sample sample = samples.get(random.nextInt(samples.size()));
            // Now and then under another's name: a serializer must not trust the label.
            Sample label = random.nextInt(10) == 0 ? samples.get(random.nextInt(samples.size())) : sample;
            byte[] mutated = mutated(sample.bytes, samples, random);
            try {
                Object message = Travel.read(serialization, label.serializerId, label.manifest, mutated);
                understood += message == null ? ROUNDS : 1;
            } catch (SerializationException refused) {
                if (refused.reason() == null || refused.getMessage().length() > 1_000) {
                    throw new AssertionError("round " + round, refused);
                }
            }
        }
        assertThat(understood).isBetween(ROUNDS / 100, ROUNDS * 99 / 100);
    }

    private static byte[] mutated(byte[] original, List<Sample> samples, Random random) {
        byte[] bytes = original.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes && bytes.length > 0; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(7)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> bytes = spliced(bytes, at, samples.get(random.nextInt(samples.size())).bytes, random);
                case 4 -> bytes = spliced(bytes, at, new byte[random.nextInt(20)], random);
                case 5 -> bytes = spliced(bytes, at, bytes, random);
                // The first bytes of CBOR's arrays, maps, texts and bytes, with a length that lies.
                default ->
                    bytes = spliced(bytes, at, new byte[] {(byte) (0x5a + 0x20 * random.nextInt(4)), 127}, random);
            }
        }
        return bytes;
    }

    private static byte[] spliced(byte[] into, int at, byte[] from, Random random) {
        int start = from.length == 0 ? 0 : random.nextInt(from.length);
        byte[] piece = Arrays.copyOfRange(from, start, Math.min(from.length, start + random.nextInt(64)));
        byte[] all = Arrays.copyOf(into, into.length + piece.length);
        System.arraycopy(piece, 0, all, at, piece.length);
        System.arraycopy(into, at, all, at + piece.length, into.length - at);
        return all;
    }

    private List<Sample> samples() throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (Object message : RoundTripTest.messages()) {
            ByteSink out = new ByteSink();
            Serialization.Label label = serialization.write(message, Travel.REFS, out);
            samples.add(new Sample(label.serializerId(), label.manifest(), out.toByteArray()));
        }
        Serialization json = Serialization.builder()
                .foreign("json", 31, Orders.Everything.class)
                .build();
        byte[] text = Travel.bytesOf(json, Orders.everything());
        samples.add(new Sample(31, "json", text));
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(compressed)) {
            zip.write(text);
        }
        samples.add(new Sample(31, "json", compressed.toByteArray()));
        Value inner = Value.newBuilder().setStringValue("x").build();
        ListValue list =
                ListValue.newBuilder().addValues(inner).addValues(inner).build();
        samples.add(new Sample(2, ListValue.class.getName(), list.toByteArray()));
        return samples;
    }
}

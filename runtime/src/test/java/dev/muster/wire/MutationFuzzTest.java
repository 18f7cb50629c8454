package dev.muster.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Island;
import dev.muster.core.state.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Good messages with some bytes changed, cut out, repeated or exchanged with those of another one. Each is read as a
 * message or refused by a {@link WireException}; whatever else escapes fails the test and names the seed.
 */
class MutationFuzzTest {
    private static final int ROUNDS = 100_000;
    private static final byte[] NASTY = {0, 1, 2, 8, 10, 0x7f, (byte) 0x80, (byte) 0xff};

    private interface Decoder {
        Object decode(byte[] buffer, int offset, int length);
    }

    private record Seed(Payload payload, Decoder decoder) {
        byte[] bytes() {
            return payload.bytes();
        }
    }

    private final Samples samples = new Samples(20_260_101);
    private final Random random = samples.random();
    private final NodeId from = samples.node();
    private final ClusterCodec codec = Samples.codec(samples.node());
    private final ClusterCodec sender = Samples.codec(from);

    @Test
    void mutatedMessagesAreReadOrRefusedAndNothingElse() {
        List<Seed> seeds = seeds();
        int refused = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Seed seed = seeds.get(random.nextInt(seeds.size()));
            byte[] other = seeds.get(random.nextInt(seeds.size())).bytes();
            refused += isRefused(seed.decoder(), mutated(seed.bytes(), other), round) ? 1 : 0;
        }
        // Most changes must be noticed, and some hit a number that may be any.
        assertThat(refused).isBetween(ROUNDS / 3, ROUNDS - 1_000);
    }

    @Test
    void mutatedStatesBehindAGoodChecksumAreReadOrRefused() {
        List<byte[]> states = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            ProtoWriter written = ZippedStates.unzipped(samples.state(random.nextInt(12)));
            states.add(written.toBytes());
        }
        Decoder decoder = (buffer, offset, length) -> GossipReader.read(new ProtoReader(buffer, offset, length));
        int refused = 0;
        for (int round = 0; round < ROUNDS / 2; round++) {
            byte[] mutated = mutated(states.get(random.nextInt(60)), states.get(random.nextInt(60)));
            refused += isRefused(decoder, mutated, round) ? 1 : 0;
        }
        assertThat(refused).isBetween(ROUNDS / 6, ROUNDS / 2 - 500);
    }

    @Test
    void mutatedConfigurationsAreReadOrRefused() {
        JoinConfigurationText texts = new JoinConfigurationText(WireDialect.PEKKO, Samples.OWN);
        byte[] good = texts.write(Samples.OWN, Optional.of(new Island(3, "10.0.0.1:2551")))
                .getBytes(StandardCharsets.UTF_8);
        UnaryOperator<String> rewritten =
                text -> texts.writeAnswer(texts.read(text).foreign());
        Decoder decoder =
                (buffer, offset, length) -> rewritten.apply(new String(buffer, offset, length, StandardCharsets.UTF_8));
        for (int round = 0; round < 10_000; round++) {
            isRefused(decoder, mutated(good, good), round);
        }
        assertThat(decoder.decode(good, 0, good.length)).isNotNull();
    }

    private static boolean isRefused(Decoder decoder, byte[] bytes, int round) {
        try {
            decoder.decode(bytes, 0, bytes.length);
            return false;
        } catch (WireException e) {
            assertThat(e.getMessage()).hasSizeLessThan(500);
            return true;
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            throw new AssertionError("round " + round + ": " + Arrays.toString(bytes), e);
        }
    }

    private List<Seed> seeds() {
        List<Seed> seeds = new ArrayList<>();
        for (int i = 0; i < 120; i++) {
            add(seeds, ControlCodec.encode(samples.controlMessage()));
            add(seeds, SystemMessageCodec.encode(samples.systemMessage()));
            add(seeds, SelectionCodec.encode(samples.selection()));
            add(seeds, MiscCodec.encode(samples.miscMessage()));
            add(seeds, GateCodec.encode(samples.uid(), samples.gateMessage(), letter -> letter));
            add(seeds, sender.encode(samples.coreMessage(random.nextInt(10)), samples.address()));
            add(seeds, sender.encode(samples.coreMessage(random.nextInt(10)), samples.address()));
        }
        return seeds;
    }

    private void add(List<Seed> seeds, Payload payload) {
        String manifest = payload.manifest();
        Decoder decoder = switch (payload.serializerId()) {
            case 17 -> (b, o, l) -> ControlCodec.decode(manifest, b, o, l);
            case 22 -> SystemMessageCodec::decode;
            case 6 -> SelectionCodec::decode;
            case 40 -> (b, o, l) -> GateCodec.decode(manifest, b, o, l, letter -> letter);
            case 16 -> (b, o, l) -> MiscCodec.decode(manifest, b, o, l);
            default -> (b, o, l) -> codec.decode(from, manifest, b, o, l);
        };
        seeds.add(new Seed(payload, decoder));
    }

    private byte[] mutated(byte[] bytes, byte[] other) {
        byte[] result = bytes.clone();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            result = mutatedOnce(result, other);
        }
        return result;
    }

    private byte[] mutatedOnce(byte[] bytes, byte[] other) {
        if (bytes.length == 0) {
            return new byte[] {(byte) random.nextInt(256)};
        }
        int at = random.nextInt(bytes.length);
        byte[] changed = bytes.clone();
        return switch (random.nextInt(7)) {
            case 0 -> {
                changed[at] = (byte) (changed[at] ^ 1 << random.nextInt(8));
                yield changed;
            }
            case 1 -> {
                changed[at] = NASTY[random.nextInt(NASTY.length)];
                yield changed;
            }
            case 2 -> {
                changed[at] =
                        (byte) (changed[at] + (random.nextBoolean() ? 1 : -1)); // lengths and tags that are off by one
                yield changed;
            }
            case 3 -> Arrays.copyOf(bytes, at);
            case 4 -> joined(Arrays.copyOf(bytes, at), bytes, random.nextInt(bytes.length));
            case 5 ->
                other.length == 0 ? changed : joined(Arrays.copyOf(bytes, at), other, random.nextInt(other.length));
            default -> {
                byte[] noise = new byte[1 + random.nextInt(8)];
                random.nextBytes(noise);
                yield joined(joined(Arrays.copyOf(bytes, at), noise, 0), bytes, at);
            }
        };
    }

    private static byte[] joined(byte[] head, byte[] tail, int tailStart) {
        byte[] joined = Arrays.copyOf(head, head.length + tail.length - tailStart);
        System.arraycopy(tail, tailStart, joined, head.length, tail.length - tailStart);
        return joined;
    }
}

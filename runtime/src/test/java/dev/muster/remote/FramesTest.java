package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.wire.ControlCodec;
import dev.muster.wire.ControlMessage;
import dev.muster.wire.EnvelopeReader;
import dev.muster.wire.FrameReader;
import dev.muster.wire.FrameWriter;
import dev.muster.wire.Payload;
import dev.muster.wire.Preamble;
import dev.muster.wire.WireException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Frames, cut out of streams and read, and what is refused before it costs anything. */
class FramesTest {
    private static final NodeId MEMBER =
            new NodeId(new NodeAddress("pekko", "Wire", "127.0.0.1", 2_560), 0x0123456789ABCDEFL);
    private static final NodeAddress OTHER = new NodeAddress("pekko", "Wire", "127.0.0.1", 2_551);

    @Test
    void aHandshakeIsWrittenAsTheWireHasIt() {
        Payload request = ControlCodec.encode(new ControlMessage.HandshakeReq(MEMBER, OTHER));

        byte[] frame = RawPeer.frame(MEMBER.uid(), request.serializerId(), "", "", request.manifest(), request.bytes());

        assertThat(HexFormat.of().formatHex(frame))
                .isEqualTo("6900000000000000" + "efcdab8967452301" + "11000000" + "1c0000001e00000020000000"
                        + "00000000010064" + "0a27"
                        + "0a1b0a0570656b6b6f1204576972651a093132372e302e302e3120801410ef9bafcdf8acd19101" + "121b"
                        + "0a0570656b6b6f1204576972651a093132372e302e302e3120f713");
        assertThat(Preamble.of(Preamble.CONTROL)).isEqualTo(HexFormat.of().parseHex("414b4b4101"));
    }

    @Test
    void framesAreFoundHoweverTheStreamIsCut() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 500; round++) {
            int count = 1 + random.nextInt(20);
            byte[] stream = new byte[0];
            for (int i = 0; i < count; i++) {
                byte[] frame = RawPeer.frame(i, 33, "a", "b" + i, "m", new byte[random.nextInt(300)]);
                stream = Arrays.copyOf(stream, stream.length + frame.length);
                System.arraycopy(frame, 0, stream, stream.length - frame.length, frame.length);
            }
            FrameReader reader = new FrameReader(4_096);
            EnvelopeReader envelope = new EnvelopeReader();
            int found = 0;
            for (int at = 0; at < stream.length; ) {
                int length = Math.min(stream.length - at, 1 + random.nextInt(200));
                reader.feed(Arrays.copyOfRange(stream, at, at + length), 0, length);
                at += length;
                while (reader.next()) {
                    envelope.read(reader.array(), reader.start(), reader.length());
                    assertThat(envelope.uid()).isEqualTo(found);
                    assertThat(envelope.recipient().text()).isEqualTo("b" + found);
                    found++;
                }
            }
            assertThat(found).isEqualTo(count);
            assertThat(reader.isWaiting()).isFalse();
        }
    }

    @Test
    void aLengthIsJudgedBeforeAnythingIsSetAside() {
        for (int length : new int[] {0, 1, 27, -1, Integer.MIN_VALUE, 4_097, Integer.MAX_VALUE}) {
            FrameReader reader = new FrameReader(4_096);
            reader.feed(littleEndian(length), 0, 4);
            assertThatThrownBy(reader::next).as("%s", length).isInstanceOf(WireException.class);
        }
    }

    private static byte[] littleEndian(int value) {
        return new byte[] {(byte) value, (byte) (value >>> 8), (byte) (value >>> 16), (byte) (value >>> 24)};
    }

    @Test
    void labelsThatDoNotFitTheirFrameAreRefused() {
        byte[] frame = RawPeer.frame(1, 33, "a", "b", "m", (byte) 1);
        EnvelopeReader reader = new EnvelopeReader();
        int endOfLabels = frame.length - 1;
        for (int end = 4; end < endOfLabels; end++) {
            int length = end - 4;
            assertThatThrownBy(() -> reader.read(frame, 4, length))
                    .as("%s", length)
                    .isInstanceOf(WireException.class);
        }
        reader.read(frame, 4, endOfLabels - 4);
        assertThat(reader.payloadLength()).isZero();
    }

    @Test
    void aPreambleIsRefusedAtTheFirstWrongByte() {
        assertThat(Preamble.read(new byte[] {'A', 0, 0, 0, 0}, 1)).isZero();
        assertThat(Preamble.read(new byte[] {'P', 'E', 'K', 'K', 3}, 5)).isEqualTo(Preamble.LARGE);
        assertThatThrownBy(() -> Preamble.read(new byte[] {'G', 0, 0, 0, 0}, 1)).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> Preamble.read(new byte[] {'A', 'E', 0, 0, 0}, 2))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> Preamble.read(new byte[] {'A', 'K', 'K', 'A', 0}, 5))
                .isInstanceOf(WireException.class);
    }

    /** There may be thousands of connections that say nothing for long. */
    @Test
    void aReaderThatHasReadAllHoldsNoBytes() {
        FrameReader reader = new FrameReader(10_000);
        FrameWriter writer = new FrameWriter(100);
        int length = writer.add(7, 4, 0, 0, -1, null, -1, null, -1, null, new byte[3], 0, 3);
        byte[] frame = Arrays.copyOf(writer.array(), length);
        reader.feed(frame, 0, frame.length);
        assertThat(reader.next()).isTrue();
        assertThat(reader.array()).isSameAs(frame);

        assertThat(reader.next()).isFalse();
        assertThat(reader.array()).isEmpty();

        EnvelopeReader envelope = new EnvelopeReader();
        envelope.read(frame, 4, length - 4);
        assertThat(envelope.array()).isSameAs(frame);
        envelope.release();
        assertThat(envelope.array()).isEmpty();
    }
}

package dev.muster.simulator;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import dev.muster.simulator.check.InstanceState;
import dev.muster.simulator.check.Letter;
import dev.muster.wire.GateCodec;
import dev.muster.wire.GateLetter;
import dev.muster.wire.Payload;
import dev.muster.wire.WireException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What gates say to each other, through the codec of the real wire. A letter is enclosed as messages of users are, with
 * something in each field that there is. What is read must be what was written: no checker would miss, say, a mark that
 * only makes a gate send something sooner.
 */
final class GateWire {
    private static final int SERIALIZER_ID = 1_000;
    private static final String STATE_MANIFEST = "counted";

    private GateWire() {}

    /** A letter that goes straight to a host has no word of a gate around it, and stays as it is. */
    @SuppressWarnings("unchecked")
    static Parcel written(Parcel parcel) {
        if (!(parcel.content() instanceof GateMessage<?> message)) {
            return parcel;
        }
        Payload payload = GateCodec.encode(parcel.to().uid(), (GateMessage<Letter>) message, GateWire::enclosed);
        return new Parcel(parcel.to(), parcel.path(), parcel.content(), Optional.of(payload));
    }

    static Parcel read(Parcel parcel) {
        if (parcel.written().isEmpty()) {
            return parcel;
        }
        Payload payload = parcel.written().get();
        requireSame("serializer", GateCodec.SERIALIZER_ID, payload.serializerId());
        byte[] bytes = payload.bytes();
        GateCodec.Received<Letter> received =
                GateCodec.decode(payload.manifest(), bytes, 0, bytes.length, GateWire::opened);
        requireSame("incarnation", parcel.to().uid(), received.toUid());
        requireSame("message", comparable(parcel.content()), comparable(received.message()));
        return new Parcel(parcel.to(), parcel.path(), received.message());
    }

    /** Parts of a state are compared by what is in them. */
    private static Object comparable(Object message) {
        return message instanceof Handed<?> handed && handed.item() instanceof Item.StatePart<?> part
                ? List.of(handed.move(), handed.number(), part.isLast(), ByteBuffer.wrap(part.bytes()))
                : message;
    }

    private static GateLetter enclosed(Letter letter) {
        byte[] bytes = ByteBuffer.allocate(40)
                .putLong(letter.number())
                .putLong(letter.sender().uid())
                .putInt(letter.actor())
                .putLong(letter.sequence())
                .putInt(letter.bytes())
                .putLong(letter.sentAtNanos())
                .array();
        Payload content = new Payload(SERIALIZER_ID, letter.path().toString(), bytes);
        return new GateLetter(Optional.of(content), letter.sender().address().toString(), isForAll(letter.number()));
    }

    /** Nothing follows from it here, so any rule will do that both sides know. */
    private static boolean isForAll(long number) {
        return number % 3 == 0;
    }

    private static Letter opened(GateLetter enclosed) {
        Payload content = enclosed.content().orElseThrow(() -> lost("the content " + enclosed.problem()));
        requireSame("serializer of a letter", SERIALIZER_ID, content.serializerId());
        ByteBuffer bytes = ByteBuffer.wrap(content.bytes());
        long number = bytes.getLong();
        requireSame("mark of a letter", isForAll(number), enclosed.isForAll());
        return new Letter(
                number,
                new NodeId(NodeAddress.parse(enclosed.sender()), bytes.getLong()),
                bytes.getInt(),
                new PartitionPath(content.manifest()),
                bytes.getLong(),
                bytes.getInt(),
                bytes.getLong());
    }

    private static void requireSame(String what, Object written, Object read) {
        if (!written.equals(read)) {
            throw lost("the " + what + ", which was " + written + " and is " + read);
        }
    }

    private static WireException lost(String what) {
        return new WireException(WireException.Reason.MALFORMED, "lost on the way: " + what);
    }

    // --- State
    // --------------------------------------------------------------------------------------------------------

    /** None at all for an instance that has done nothing, as without the codec. */
    static List<byte[]> written(InstanceState state, int pieceBytes) {
        List<byte[]> whole = state.pieces(Integer.MAX_VALUE);
        if (whole.isEmpty()) {
            return whole;
        }
        byte[] all = GateCodec.encodeState(new Payload(SERIALIZER_ID, STATE_MANIFEST, whole.get(0)));
        List<byte[]> pieces = new ArrayList<>();
        for (int from = 0; from < all.length; from += pieceBytes) {
            pieces.add(Arrays.copyOfRange(all, from, Math.min(all.length, from + pieceBytes)));
        }
        return pieces;
    }

    static InstanceState read(List<byte[]> pieces) {
        int length = pieces.stream().mapToInt(piece -> piece.length).sum();
        if (length == 0) {
            return InstanceState.NEW;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        pieces.forEach(all::put);
        Payload state = GateCodec.decodeState(all.array());
        requireSame("serializer of a state", SERIALIZER_ID, state.serializerId());
        requireSame("manifest of a state", STATE_MANIFEST, state.manifest());
        return InstanceState.of(List.of(state.bytes()));
    }
}

package dev.muster.wire;

import dev.muster.core.handoff.GateMessage;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.HandoffPolicy;
import java.util.function.Function;

/**
 * What gates say to each other, as bytes. The schema is {@code handoff.proto}.
 *
 * <p>Messages of users are enclosed as they are: whoever passes one on need not understand it.
 */
public final class GateCodec {
    public static final int SERIALIZER_ID = 40;

    /** The only mark that a letter may have. */
    static final int FOR_ALL = 1;

    private static final int REASON_CHARACTERS = 1_000;

    private GateCodec() {}

    /**
     * What came, and for whom.
     *
     * @param toUid the incarnation that it was meant for
     */
    public record Received<M>(long toUid, GateMessage<M> message) {}

    /** @param letters turns a message of users into what can be enclosed */
    public static <M> Payload encode(long toUid, GateMessage<M> message, Function<? super M, GateLetter> letters) {
        ProtoWriter out = new ProtoWriter(256);
        out.int64(1, toUid);
        return new Payload(SERIALIZER_ID, writeRest(out, message, letters), out.toBytes());
    }

    /** Returns the manifest. */
    private static <M> String writeRest(
            ProtoWriter out, GateMessage<M> message, Function<? super M, GateLetter> letters) {
        if (message instanceof GateMessage.PassedOn<M> passed) {
            out.int32(2, passed.hops());
            writeLetter(out, 3, letters.apply(passed.message()));
            return "HP";
        }
        if (message instanceof GateMessage.ArrivalAsked<M> asked) {
            out.int64(2, asked.number());
            return "HQ";
        } else if (message instanceof GateMessage.Arrived<M> arrived) {
            out.int64(2, arrived.number());
            return "HD";
        }
        out.int64(2, message.move());
        if (message instanceof GateMessage.Handed<M> handed) {
            out.int64(3, handed.number());
            writeItem(out, handed.item(), letters);
            return "HI";
        } else if (message instanceof GateMessage.Confirmed<M> confirmed) {
            out.int64(3, confirmed.number());
            out.bool(4, confirmed.isReady());
            out.bool(5, confirmed.hasGap());
            out.text(6, Texts.shown(confirmed.failure(), REASON_CHARACTERS));
            return "HC";
        } else if (message instanceof GateMessage.Ended<M> ended) {
            out.int64(3, ended.number());
            return "HE";
        } else if (message instanceof GateMessage.Asked) {
            return "HA";
        } else if (message instanceof GateMessage.RouteSwitched) {
            return "HS";
        }
        return "HR";
    }

    private static <M> void writeItem(ProtoWriter out, Item<M> item, Function<? super M, GateLetter> letters) {
        if (item instanceof Item.Prepare<M> prepare) {
            int mark = out.begin(4);
            HandoffPolicy policy = prepare.policy();
            out.int32(1, policy.migration().ordinal());
            out.int32(2, policy.arrival().ordinal());
            out.int32(3, policy.update().ordinal());
            out.bool(4, prepare.hasState());
            out.end(mark);
        } else if (item instanceof Item.StatePart<M> part) {
            int mark = out.begin(5);
            out.bytes(1, part.bytes());
            out.bool(2, part.isLast());
            out.end(mark);
        } else if (item instanceof Item.Message<M> message) {
            writeLetter(out, 6, letters.apply(message.message()));
        } else if (item instanceof Item.YourTurn) {
            out.bool(7, true);
        } else if (item instanceof Item.SenderSwitched<M> switched) {
            ClusterNodes.writeNode(out, 8, switched.sender());
        } else {
            out.bool(9, true);
        }
    }

    private static void writeLetter(ProtoWriter out, int field, GateLetter letter) {
        int mark = out.begin(field);
        letter.content().ifPresent(content -> {
            out.int32(1, content.serializerId());
            out.text(2, content.manifest());
            out.bytes(3, content.bytes());
        });
        if (!letter.sender().isEmpty()) {
            out.text(4, letter.sender());
        }
        if (letter.isForAll()) {
            out.int32(5, FOR_ALL);
        }
        out.end(mark);
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param letters turns what was enclosed into a message of users
     * @throws WireException if the bytes are no such message
     */
    public static <M> Received<M> decode(
            String manifest, byte[] buffer, int offset, int length, Function<GateLetter, M> letters) {
        return GateReader.read(manifest, new ProtoReader(buffer, offset, length), letters);
    }

    /** The state of an instance as one piece, to be cut. */
    public static byte[] encodeState(Payload state) {
        ProtoWriter out = new ProtoWriter(state.bytes().length + 64);
        out.int32(1, state.serializerId());
        out.text(2, state.manifest());
        out.bytes(3, state.bytes());
        return out.toBytes();
    }

    /** @throws WireException if the bytes are no state */
    public static Payload decodeState(byte[] bytes) {
        return GateReader.readState(new ProtoReader(bytes, 0, bytes.length));
    }
}

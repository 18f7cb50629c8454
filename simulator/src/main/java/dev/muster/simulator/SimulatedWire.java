package dev.muster.simulator;

import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;
import dev.muster.simulator.check.InstanceState;
import dev.muster.simulator.plan.WireMode;
import dev.muster.wire.ClusterCodec;
import dev.muster.wire.ClusterMessage;
import dev.muster.wire.Payload;
import dev.muster.wire.WireDialect;
import java.util.List;

/** One node's end of the wire: turns what it says into what travels, and back, as the run wants it. */
final class SimulatedWire {
    private final NodeId self;
    private final ClusterSettings settings;
    private final WireMode mode;
    private ClusterCodec codec;

    SimulatedWire(NodeId self, ClusterSettings settings, WireMode mode) {
        this.self = self;
        this.settings = settings;
        this.mode = mode;
    }

    /** What travels when {@code from} says this; a liar writes as the one that it pretends to be. */
    Object written(NodeId from, NodeAddress to, Object content) {
        if (mode == WireMode.RECORDS) {
            return content;
        }
        if (content instanceof Parcel parcel) {
            return GateWire.written(parcel);
        }
        return content instanceof CoreMessage message
                ? (from.equals(self) ? codec() : codecOf(from)).encode(message, to)
                : content;
    }

    /** What arrived from {@code from}: a message between cores or gates, or one of the network's own. */
    Object read(NodeId from, Object content) {
        if (content instanceof Parcel parcel) {
            return GateWire.read(parcel);
        }
        if (!(content instanceof Payload payload)) {
            return content;
        }
        byte[] bytes = payload.bytes();
        ClusterMessage read = codec().decode(from, payload.manifest(), bytes, 0, bytes.length);
        return read instanceof ClusterMessage.Core core ? core.message() : read;
    }

    /** The state of an instance as it is handed over: pieces of this size. */
    List<byte[]> written(InstanceState state, int pieceBytes) {
        return mode == WireMode.RECORDS ? state.pieces(pieceBytes) : GateWire.written(state, pieceBytes);
    }

    /** The state that an instance begins with. */
    InstanceState read(List<byte[]> pieces) {
        return mode == WireMode.RECORDS ? InstanceState.of(pieces) : GateWire.read(pieces);
    }

    private ClusterCodec codec() {
        if (codec == null) {
            codec = codecOf(self);
        }
        return codec;
    }

    private ClusterCodec codecOf(NodeId node) {
        return new ClusterCodec(node, settings.joinConfiguration(), WireDialect.of(node.address()));
    }
}

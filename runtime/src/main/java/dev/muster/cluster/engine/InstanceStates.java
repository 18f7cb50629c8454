package dev.muster.cluster.engine;

import dev.muster.cluster.Partition;
import dev.muster.core.state.PartitionPath;
import dev.muster.remote.Remoting;
import dev.muster.serialization.SerializationException;
import dev.muster.wire.GateCodec;
import dev.muster.wire.Payload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What instances leave to each other, as bytes in parts. */
final class InstanceStates {
    /** Fits the smallest frame there may be. */
    static final int PART_BYTES = 16 * 1024;

    private final ClusterNode node;
    private final Remoting remoting;

    InstanceStates(ClusterNode node, Remoting remoting) {
        this.node = node;
        this.remoting = remoting;
    }

    /**
     * Runs users' code.
     *
     * @throws IllegalStateException if it cannot be written, with the reason
     */
    List<byte[]> write(PartitionPath path, Object state) {
        Partition<?> partition = node.partitions().find(path);
        Optional<Class<?>> type = partition == null ? Optional.empty() : partition.stateType();
        if (type.filter(it -> it.isInstance(state)).isEmpty()) {
            throw new IllegalStateException("its state is a " + state.getClass().getName() + ", but "
                    + type.map(it -> "a " + it.getName() + " was announced").orElse("none was announced"));
        }
        try {
            return cut(GateCodec.encodeState(remoting.write(node.messages().states(), state)));
        } catch (SerializationException unwritable) {
            throw new IllegalStateException("its state cannot be written: " + unwritable.getMessage(), unwritable);
        }
    }

    private static List<byte[]> cut(byte[] whole) {
        List<byte[]> parts = new ArrayList<>(whole.length / PART_BYTES + 1);
        for (int start = 0; start < whole.length; start += PART_BYTES) {
            parts.add(Arrays.copyOfRange(whole, start, Math.min(whole.length, start + PART_BYTES)));
        }
        return parts;
    }

    /**
     * The state that an instance left. Runs users' code.
     *
     * @throws IllegalStateException if this node cannot read it
     */
    Object read(Partition<?> partition, List<byte[]> parts) {
        byte[] whole = new byte[parts.stream().mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        Payload written = GateCodec.decodeState(whole);
        Object state = remoting.read(node.messages().states(), written);
        if (partition.stateType().filter(type -> type.isInstance(state)).isEmpty()) {
            throw new IllegalStateException("the state that came for " + partition.path() + " is a "
                    + state.getClass().getName() + "; all nodes must give the partition the same type of state");
        }
        return state;
    }
}

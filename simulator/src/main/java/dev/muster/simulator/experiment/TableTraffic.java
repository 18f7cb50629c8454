package dev.muster.simulator.experiment;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.NodeAddress;
import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.SimulatedNode;
import dev.muster.wire.ClusterCodec;
import dev.muster.wire.WireDialect;

/** How many bytes nodes say to each other about the partition table, as the wire writes them, without envelopes. */
final class TableTraffic {
    private final long[] bytesBySlot;
    private int largest;
    private long all;
    private ClusterCodec codec;

    TableTraffic(int slots) {
        this.bytesBySlot = new long[slots];
    }

    /** Begins to listen, instead of whoever listened before. */
    static TableTraffic of(SimulatedCluster cluster, int slots) {
        TableTraffic traffic = new TableTraffic(slots);
        cluster.eavesdrop(traffic::heard);
        return traffic;
    }

    private void heard(SimulatedNode node, CoreMessage message) {
        if (message instanceof TableMessage table) {
            int bytes = bytesOf(node, table);
            bytesBySlot[node.slot()] += bytes;
            all += bytes;
            largest = Math.max(largest, bytes);
        }
    }

    /** Who writes is named by every message; one writer for all does, since names are equally long. */
    private int bytesOf(SimulatedNode node, TableMessage message) {
        NodeAddress own = node.id().address();
        if (codec == null) {
            codec = new ClusterCodec(node.id(), node.settings().joinConfiguration(), WireDialect.of(own));
        }
        return codec.encode(message, message.to().address()).bytes().length;
    }

    /** What all nodes have sent together. */
    long all() {
        return all;
    }

    /** What the busiest has sent. */
    long mostByOne() {
        long most = 0;
        for (long bytes : bytesBySlot) {
            most = Math.max(most, bytes);
        }
        return most;
    }

    int largestMessage() {
        return largest;
    }
}

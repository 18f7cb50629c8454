package dev.muster.wire;

import dev.muster.core.exchange.CoreMessage;
import dev.muster.core.exchange.GossipMessage;
import dev.muster.core.exchange.HeartbeatMessage;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.exchange.LoadMessage;
import dev.muster.core.exchange.TableMessage;
import dev.muster.core.state.NodeAddress;
import dev.muster.core.state.NodeId;

/**
 * What one node's core says and hears, as bytes. The schema is {@code cluster.proto}.
 *
 * <p>Each node has its own. One thread at a time writes; any number may read. Where our messages carry more than other
 * systems know, the rest is in fields that those skip; where they carry less, it is filled in as they mean it.
 */
public final class ClusterCodec {
    public static final int SERIALIZER_ID = 5;
    /** For what only Muster's own nodes say to each other. */
    public static final int TABLE_SERIALIZER_ID = 39;

    private final ClusterMessageWriter writer;
    private final ClusterMessageReader reader;
    private final TableWriter tables;
    private final LoadWriter loads;

    public ClusterCodec(NodeId self, JoinConfiguration ownConfiguration, WireDialect dialect) {
        JoinConfigurationText texts = new JoinConfigurationText(dialect, ownConfiguration);
        SeedContacts contacts = new SeedContacts(dialect);
        this.writer = new ClusterMessageWriter(self, texts, contacts);
        this.tables = new TableWriter(self);
        this.loads = new LoadWriter(self);
        this.reader = new ClusterMessageReader(self, ownConfiguration, texts, contacts, dialect);
    }

    /** The message as it is written to the node at this address. States are zipped once for all who get them. */
    public Payload encode(CoreMessage message, NodeAddress to) {
        if (message instanceof HeartbeatMessage heartbeat) {
            return writer.write(heartbeat);
        } else if (message instanceof GossipMessage gossip) {
            return writer.write(gossip);
        } else if (message instanceof TableMessage table) {
            return tables.write(table);
        } else if (message instanceof LoadMessage load) {
            return loads.write(load);
        }
        return writer.write((JoinMessage) message, to);
    }

    /** A request of a user, to any member. */
    public static Payload encode(ClusterMessage.Leave leave) {
        return ClusterMessageWriter.address("L", leave.address());
    }

    /** A request of a user, to any member. */
    public static Payload encode(ClusterMessage.Down down) {
        return ClusterMessageWriter.address("D", down.address());
    }

    /**
     * Reads what came from {@code from}, as the connection has proved.
     *
     * @throws WireException if the bytes are no such message, or say that they are from somebody else
     */
    public ClusterMessage decode(NodeId from, String manifest, byte[] buffer, int offset, int length) {
        if (TableReader.isFor(manifest)) {
            ClusterMessage.Core table = TableReader.read(manifest, buffer, offset, length);
            ClusterMessageReader.requireSender(table.claimedFrom(), from);
            return table;
        } else if (LoadReader.isFor(manifest)) {
            ClusterMessage.Core load = LoadReader.read(manifest, buffer, offset, length);
            ClusterMessageReader.requireSender(load.claimedFrom(), from);
            return load;
        }
        return reader.read(from, manifest, buffer, offset, length);
    }
}

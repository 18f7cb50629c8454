package dev.muster.real;

import com.typesafe.config.Config;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.engine.ClusterNode;
import dev.muster.core.state.NodeAddress;
import dev.muster.discovery.Discovery;
import dev.muster.real.net.NettyTransport;
import dev.muster.serialization.Serialization;
import dev.muster.settings.NodeSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What makes an actor system a node: sockets, messages that can travel, and its place in a cluster. */
final class NodeParts {
    private final NodeSettings settings;
    private final Serialization serialization;
    private final NettyTransport transport;
    private ClusterNode node;

    private NodeParts(NodeSettings settings, Serialization serialization) {
        this.settings = settings;
        this.serialization = serialization;
        this.transport = new NettyTransport(Optional.empty(), settings.remote().connectTimeout());
    }

    /** Reads all that was configured, so that mistakes are found before anything has started. */
    static NodeParts prepare(String name, Config config) {
        NodeSettings settings = NodeSettings.from(config, name);
        Serialization serialization = Serialization.from(config);
        return new NodeParts(settings, serialization);
    }

    /** The same for a node that differs from others only in its port and in whom it asks first. */
    NodeParts with(int port, List<NodeAddress> seeds) {
        NodeSettings own = new NodeSettings(
                settings.remote().withPort(port),
                settings.cluster().withJoin(settings.cluster().join().withSeedNodes(seeds)),
                settings.rejoin(),
                settings.discovery(),
                List.of());
        return new NodeParts(own, serialization);
    }

    void begin(LocalActorSystem system, Consumer<ActorSystem> setup) {
        Discovery discovery = Discovery.of(settings.cluster().join().seedNodes());
        node = new ClusterNode(system, settings, serialization, transport, discovery, setup);
        system.setExtension(Cluster.class, node);
        node.begin();
    }

    void close() {
        if (node != null) {
            node.close();
        }
        transport.close();
    }
}

package dev.muster.real;

import com.typesafe.config.Config;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.cluster.Cluster;
import dev.muster.cluster.engine.ClusterNode;
import dev.muster.cluster.engine.Messages;
import dev.muster.core.state.NodeAddress;
import dev.muster.discovery.Discovery;
import dev.muster.environment.Dispatchers;
import dev.muster.real.dns.DnsDiscovery;
import dev.muster.real.net.NettyTransport;
import dev.muster.real.tls.TlsContexts;
import dev.muster.settings.NodeSettings;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What makes an actor system a node: sockets, messages that can travel, and its place in a cluster. */
final class NodeParts {
    private final NodeSettings settings;
    private final Messages messages;
    private final Optional<TlsContexts> tls;
    private final NettyTransport transport;
    private DnsDiscovery dns;
    private ClusterNode node;
    private volatile boolean isClosed;

    private NodeParts(NodeSettings settings, Messages messages, Optional<TlsContexts> tls) {
        this.settings = settings;
        this.messages = messages;
        this.tls = tls;
        this.transport = new NettyTransport(tls, settings.remote().connectTimeout());
    }

    /** Reads all that was configured, so that mistakes are found before anything has started. */
    static NodeParts prepare(String name, Config config) {
        NodeSettings settings = NodeSettings.from(config, name);
        return new NodeParts(
                settings, new Messages(config), settings.remote().tls().map(TlsContexts::load));
    }

    /** The same for a node that differs from others only in its port and in whom it asks first. */
    NodeParts with(int port, List<NodeAddress> seeds) {
        NodeSettings own = new NodeSettings(
                settings.remote().withPort(port),
                settings.cluster().withJoin(settings.cluster().join().withSeedNodes(seeds)),
                settings.rejoin(),
                settings.discovery(),
                List.of());
        return new NodeParts(own, messages, tls);
    }

    void begin(LocalActorSystem system, Consumer<ActorSystem> setup) {
        node = new ClusterNode(system, settings, messages, transport, this::discovery, setup);
        system.setExtension(Cluster.class, node);
        node.begin();
        tls.ifPresent(contexts -> lookAtFiles(system, contexts));
    }

    /** Once the port is known, for that is what nodes found by their addresses have in common. */
    private Discovery discovery(NodeAddress self) {
        if (settings.discovery().dns().isEmpty()) {
            return Discovery.of(settings.cluster().join().seedNodes());
        }
        dns = new DnsDiscovery(
                settings.discovery().dns().get(), self.protocol(), self.system(), self.port(), transport.eventLoops());
        return dns;
    }

    /** Certificates are replaced while nodes run; who has new ones uses them for new connections. */
    private void lookAtFiles(LocalActorSystem system, TlsContexts contexts) {
        long every = settings.remote().tls().orElseThrow().checkFilesEvery().toNanos();
        system.environment().timers().schedule(every, () -> {
            if (isClosed) {
                return;
            }
            system.environment().dispatchers().named(Dispatchers.BLOCKING).execute(() -> {
                if (contexts.reloadIfChanged()) {
                    system.log().info("new certificates are in use for new connections");
                }
                contexts.problem().ifPresent(problem -> system.log().error("TLS: {}", problem));
                lookAtFiles(system, contexts);
            });
        });
    }

    void close() {
        isClosed = true;
        if (node != null) {
            node.close();
        }
        if (dns != null) {
            dns.close();
        }
        transport.close();
    }
}

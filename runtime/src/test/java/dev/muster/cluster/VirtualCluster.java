package dev.muster.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorSettings;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.cluster.engine.ClusterNode;
import dev.muster.cluster.engine.Messages;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.discovery.Discovery;
import dev.muster.remote.SimulatedNetwork;
import dev.muster.settings.NodeSettings;
import dev.muster.virtual.VirtualEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Whole nodes on one thread, in virtual time and in an order that a seed decides, with bytes between them that arrive
 * late and in pieces.
 */
public final class VirtualCluster {
    private static final int FIRST_PORT = 2_551;

    final VirtualEnvironment world;
    final SimulatedNetwork network;
    private final Config config;
    private final Consumer<Node> setup;
    private final boolean findsSeeds;
    private final List<Node> nodes = new ArrayList<>();

    /** One of its nodes. */
    public static final class Node {
        public final int port;
        public final LocalActorSystem system;
        public final ClusterNode cluster;

        Node(int port, LocalActorSystem system, ClusterNode cluster) {
            this.port = port;
            this.system = system;
            this.cluster = cluster;
        }

        public NodeAddress address() {
            return cluster.selfAddress();
        }

        @Override
        public String toString() {
            return String.valueOf(port);
        }
    }

    public VirtualCluster(long seed, int size, String settings, Consumer<Node> setup) {
        this(seed, size, settings, setup, false);
    }

    /** @param findsSeeds whether seeds are not in the settings, so that nodes learn of them after their set-up */
    VirtualCluster(long seed, int size, String settings, Consumer<Node> setup, boolean findsSeeds) {
        SplittableRandom random = new SplittableRandom(seed);
        this.world = new VirtualEnvironment(seed);
        this.network = new SimulatedNetwork(world.environment().timers(), random.split());
        this.config = ConfigFactory.parseString(settings);
        this.setup = setup;
        this.findsSeeds = findsSeeds;
        for (int i = 0; i < size; i++) {
            add();
        }
    }

    public Node add() {
        return add("");
    }

    /** Adds a node that has settings of its own. */
    Node add(String more) {
        int port = FIRST_PORT + nodes.size();
        String first = "muster://virtual@127.0.0.1:" + FIRST_PORT;
        Config own = ConfigFactory.parseMap(Map.of(
                        "muster.actor.provider",
                        "cluster",
                        "muster.remote.artery.canonical.port",
                        port,
                        "muster.cluster.seed-nodes",
                        findsSeeds ? List.of() : List.of(first)))
                .withFallback(ConfigFactory.parseString(more))
                .withFallback(config)
                .withFallback(ConfigFactory.defaultReference())
                .resolve();
        NodeSettings settings = NodeSettings.from(own, "virtual");
        LocalActorSystem system =
                LocalActorSystem.start("virtual", ActorSettings.from(own), world.environment(), () -> {});
        Node[] made = new Node[1];
        ClusterNode cluster = new ClusterNode(
                system,
                settings,
                new Messages(own),
                network.of(port),
                self -> Discovery.of(List.of(NodeAddress.parse(first))),
                (ActorSystem started) -> setup.accept(made[0]));
        made[0] = new Node(port, system, cluster);
        system.setExtension(Cluster.class, cluster);
        nodes.add(made[0]);
        cluster.begin();
        return made[0];
    }

    public Node node(int index) {
        return nodes.get(index);
    }

    public List<Node> nodes() {
        return nodes;
    }

    public void awaitUp() {
        await(
                "all are up",
                () -> nodes.stream().allMatch(node -> {
                    var members = node.cluster.snapshot().state().members();
                    return members.size() == nodes.size()
                            && members.stream().allMatch(member -> member.status() == MemberStatus.UP);
                }));
    }

    public void await(String what, BooleanSupplier condition) {
        if (!world.runUntil(condition, Duration.ofMinutes(5))) {
            throw new AssertionError("not within five minutes: " + what);
        }
    }

    public void pass(long millis) {
        world.advance(Duration.ofMillis(millis));
    }
}

package dev.muster.cluster;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorSystem;
import dev.muster.cluster.engine.ClusterNode;
import dev.muster.core.ClusterSnapshot;
import dev.muster.core.state.MemberStatus;
import dev.muster.core.state.NodeAddress;
import dev.muster.environment.Dispatchers;
import dev.muster.real.LocalNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A whole cluster in one process, for tests and quick starts: real nodes on real sockets of the loopback interface that
 * share their threads.
 *
 * <pre>{@code
 * try (var cluster = LocalCluster.start("demo", 3)) {
 *     cluster.awaitUp(Duration.ofSeconds(10));
 * }
 * }</pre>
 */
public final class LocalCluster implements AutoCloseable {
    private static final long LOOK_AGAIN_NANOS = 2_000_000L;

    private final LocalNodes nodes;
    private final Consumer<ActorSystem> setup;
    private final List<Node> all = new ArrayList<>();

    /** One of its nodes. */
    public static final class Node {
        private final ActorSystem system;
        private final Cluster cluster;
        private volatile boolean isGone;

        Node(ActorSystem system) {
            this.system = system;
            this.cluster = Cluster.get(system);
        }

        public ActorSystem system() {
            return system;
        }

        public Cluster cluster() {
            return cluster;
        }

        public NodeAddress address() {
            return cluster.selfAddress();
        }

        /** Ends it from one moment to the next, without a word to the others. */
        public void kill() {
            isGone = true;
            ((ClusterNode) cluster).kill();
            var unused = system.terminate();
        }

        /** Leaves the cluster and ends, in good order. */
        public CompletableFuture<Void> leave() {
            isGone = true;
            return system.terminate();
        }
    }

    private LocalCluster(LocalNodes nodes, Consumer<ActorSystem> setup) {
        this.nodes = nodes;
        this.setup = setup;
    }

    /** Starts a cluster; {@link #awaitUp} waits until it has formed. */
    public static LocalCluster start(String name, int size) {
        return start(name, size, ConfigFactory.load(), system -> {});
    }

    /** The same with a configuration for all nodes, and with what each of them begins with. */
    public static LocalCluster start(String name, int size, Config config, Consumer<ActorSystem> setup) {
        if (size < 1) {
            throw new IllegalArgumentException("a cluster has at least one node, not " + size);
        }
        LocalCluster cluster = new LocalCluster(new LocalNodes(name, config), setup);
        try {
            for (int i = 0; i < size; i++) {
                var unused = cluster.add();
            }
        } catch (RuntimeException failure) {
            cluster.close();
            throw failure;
        }
        return cluster;
    }

    /** Starts a single node that joins by the seed nodes of its configuration, such as those of another cluster. */
    public static LocalCluster startWithOwnSeeds(String name, Config config) {
        LocalCluster cluster = new LocalCluster(new LocalNodes(name, config), system -> {});
        try {
            cluster.all.add(new Node(cluster.nodes.start(ConfigFactory.empty(), cluster.setup)));
        } catch (RuntimeException failure) {
            cluster.close();
            throw failure;
        }
        return cluster;
    }

    /** Starts one more node. */
    public synchronized Node add() {
        Node node = new Node(nodes.start(seeds(), setup));
        all.add(node);
        return node;
    }

    /** Starts one more node with settings of its own. */
    public synchronized Node add(Config own) {
        Config seeds = ConfigFactory.parseMap(Map.of(
                "muster.cluster.seed-nodes",
                seeds().stream().map(NodeAddress::toString).toList(),
                "muster.remote.artery.canonical.port",
                0));
        Node node = new Node(nodes.start(own.withFallback(seeds), setup));
        all.add(node);
        return node;
    }

    private List<NodeAddress> seeds() {
        return all.stream()
                .filter(node -> !node.isGone)
                .limit(3)
                .map(Node::address)
                .toList();
    }

    public synchronized Node node(int index) {
        return all.get(index);
    }

    /** Those that were not killed and have not left. */
    public synchronized List<Node> nodes() {
        return all.stream().filter(node -> !node.isGone).toList();
    }

    /**
     * Waits until every node sees every node up.
     *
     * @throws IllegalStateException if that takes longer, saying what is missing
     */
    public void awaitUp(Duration timeout) {
        await("all " + nodes().size() + " nodes up everywhere", timeout, this::allUp);
    }

    private boolean allUp() {
        List<Node> present = nodes();
        for (Node node : present) {
            ClusterSnapshot snapshot = node.cluster().snapshot();
            if (snapshot.state().members().size() != present.size()
                    || snapshot.state().members().stream().anyMatch(m -> m.status() != MemberStatus.UP)) {
                return false;
            }
        }
        return true;
    }

    /** Waits until something holds, looking again and again. */
    public void await(String what, Duration timeout, BooleanSupplier condition) {
        CompletableFuture<Void> holds = new CompletableFuture<>();
        look(condition, holds);
        try {
            holds.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            holds.cancel(false);
            throw new IllegalStateException("not within " + timeout + ": " + what + "; " + status(), late);
        } catch (ExecutionException | InterruptedException failure) {
            throw new IllegalStateException("waiting for " + what, failure);
        }
    }

    private void look(BooleanSupplier condition, CompletableFuture<Void> holds) {
        if (holds.isDone()) {
            return;
        }
        try {
            if (condition.getAsBoolean()) {
                holds.complete(null);
                return;
            }
        } catch (RuntimeException failure) {
            holds.completeExceptionally(failure);
            return;
        }
        nodes.environment()
                .timers()
                .schedule(
                        LOOK_AGAIN_NANOS,
                        () -> nodes.environment()
                                .dispatchers()
                                .named(Dispatchers.DEFAULT)
                                .execute(() -> look(condition, holds)));
    }

    private String status() {
        StringBuilder text = new StringBuilder();
        for (Node node : nodes()) {
            ClusterSnapshot snapshot = node.cluster().snapshot();
            text.append(node.address().hostAndPort())
                    .append(" knows ")
                    .append(snapshot.state().members())
                    .append(snapshot.converged() ? " converged; " : " not converged; ");
            if (text.length() > 4_000) {
                return text.append("...").toString();
            }
        }
        return text.toString();
    }

    /** Ends all nodes at once; nobody leaves first. */
    @Override
    public void close() {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (Node node : nodes()) {
            ((ClusterNode) node.cluster()).kill();
            ends.add(node.system().terminate());
        }
        synchronized (this) {
            all.forEach(node -> ends.add(node.system().whenTerminated()));
        }
        CompletableFuture.allOf(ends.toArray(new CompletableFuture<?>[0])).join();
        nodes.close();
    }
}

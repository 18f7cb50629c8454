package dev.muster.interop.node;

import dev.muster.testkit.relay.FreePorts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Nodes of both kinds that are to be one cluster. Ports are given out in ascending order, so that of those that are up
 * the one that was started first leads.
 */
public final class MixedCluster implements AutoCloseable {
    private static final int PORTS = 20;
    private static final int SEEDS = 3;

    private final TreeMap<Integer, Node> nodes = new TreeMap<>();
    private final List<Node> all = new ArrayList<>();
    private final Map<Integer, Place> places = new HashMap<>();
    private final Setup setup;
    private final Iterator<Integer> ports =
            IntStream.of(FreePorts.take(PORTS)).boxed().iterator();

    /** @param settings for all nodes of both kinds, as {@code key=value} */
    public MixedCluster(String... settings) {
        this(Setup.of(settings));
    }

    public MixedCluster(Setup setup) {
        this.setup = setup;
    }

    /** A node at the next port. The first one forms the cluster, the others ask whoever is there. */
    public Node start(Kind kind) {
        return startAt(kind, ports.next());
    }

    /** A node at a port that another one had before. */
    public Node startAt(Kind kind, int port) {
        List<Integer> asked = nodes.isEmpty()
                ? List.of(port)
                : nodes.keySet().stream()
                        .filter(other -> other != port)
                        .limit(SEEDS)
                        .toList();
        Node node = Node.start(kind, setup, places.computeIfAbsent(port, this::place), asked);
        nodes.put(port, node);
        all.add(node);
        return node;
    }

    /** A node with a program and a configuration of its own, which says whom it asks. */
    public Node start(Application application, int port) {
        Node node = Node.start(application, port);
        nodes.put(port, node);
        all.add(node);
        return node;
    }

    private Place place(int port) {
        if (setup.relays().isEmpty()) {
            return new Place(port, port);
        }
        int behind = FreePorts.take(1)[0];
        setup.relays().get().open(port, behind);
        return new Place(port, behind);
    }

    /** Starts one after the other, each when the one before is up; returns when all see all up. */
    public List<Node> form(Kind... kinds) {
        List<Node> started = new ArrayList<>();
        for (Kind kind : kinds) {
            Node node = start(kind);
            started.add(node);
            node.hears("up");
        }
        awaitAllUp();
        return started;
    }

    /** Whoever is still there sees just these, all of them up and reachable, and the same leader. */
    public void awaitAllUp() {
        for (Node node : nodes.values()) {
            node.await(
                    "all of " + nodes.keySet() + " up and reachable, and the first of them leads",
                    state -> state.members().keySet().equals(nodes.keySet())
                            && state.members().values().stream().allMatch("Up"::equals)
                            && state.unreachable().isEmpty()
                            && state.leader() == nodes.firstKey());
        }
    }

    /** This one is no longer expected to be a member. */
    public void forget(Node node) {
        nodes.remove(node.port());
    }

    public Collection<Node> nodes() {
        return nodes.values();
    }

    /** Every node that was ever started. */
    public List<Node> all() {
        return all;
    }

    @Override
    public void close() {
        all.forEach(Node::close);
    }
}

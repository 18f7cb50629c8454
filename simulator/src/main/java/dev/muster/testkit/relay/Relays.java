package dev.muster.testkit.relay;

import dev.muster.core.state.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A network between nodes of this machine that can be cut, slowed and broken: one relay before each node, one link for
 * each direction between two. A node listens at its {@code bind.port}; its {@code canonical.port}, which it tells the
 * others, is that of its relay.
 */
public final class Relays implements AutoCloseable {
    private static final int MOST_NOTES = 1_000;

    /** Somebody whom others reach at a port. */
    public interface Endpoint {
        int port();
    }

    private final long seed;
    private final List<Relay> relays = new ArrayList<>();
    private final Map<String, Link> links = new TreeMap<>();
    private final Map<String, Integer> connections = new TreeMap<>();
    private final Map<Long, Integer> ports = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();

    /** @param seed for what is left to chance on links that lose */
    public Relays(long seed) {
        this.seed = seed;
    }

    /** Passes on what comes for one port to the other. */
    public synchronized void open(int port, int target) {
        try {
            relays.add(new Relay(this, port, target));
        } catch (IOException refused) {
            throw new UncheckedIOException("no relay at port " + port, refused);
        }
    }

    public synchronized Link link(int from, int to) {
        return links.computeIfAbsent(from + ">" + to, name -> new Link(seed + links.size()));
    }

    public Link link(Endpoint from, Endpoint to) {
        return link(from.port(), to.port());
    }

    /** From each of these to each of those; the other direction stays as it is. */
    public void oneWay(List<? extends Endpoint> from, List<? extends Endpoint> to, Link.Way way) {
        for (Endpoint sender : from) {
            for (Endpoint receiver : to) {
                if (sender != receiver) {
                    link(sender, receiver).set(way);
                }
            }
        }
    }

    public void between(List<? extends Endpoint> these, List<? extends Endpoint> those, Link.Way way) {
        oneWay(these, those, way);
        oneWay(those, these, way);
    }

    /** How often one node has connected to another so far. */
    public synchronized int connections(Endpoint from, Endpoint to) {
        return connections.getOrDefault(from.port() + ">" + to.port(), 0);
    }

    synchronized void count(int from, int to) {
        connections.merge(from + ">" + to, 1, Integer::sum);
    }

    synchronized void remember(NodeId node) {
        ports.put(node.uid(), node.address().port());
    }

    synchronized int portOf(long uid) throws IOException {
        Integer port = ports.get(uid);
        if (port == null) {
            throw new IOException("a connection of nobody who has said hello, uid " + uid);
        }
        return port;
    }

    synchronized void note(String what) {
        if (notes.size() < MOST_NOTES) {
            notes.add(what);
        }
    }

    void run(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        List<Relay> all;
        synchronized (this) {
            links.values().forEach(Link::end);
            all = List.copyOf(relays);
        }
        all.forEach(Relay::close);
    }
}

package dev.muster.node.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A network between nodes of this machine: one relay before each node, one link for each direction between two. */
final class Relays implements AutoCloseable {
    private static final int MOST_NOTES = 1_000;

    private final long seed;
    private final List<Relay> relays = new ArrayList<>();
    private final Map<String, Link> links = new TreeMap<>();
    private final Map<String, Integer> connections = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();

    /** @param seed for what is left to chance on links that lose */
    Relays(long seed) {
        this.seed = seed;
    }

    synchronized void open(int port, int target) {
        try {
            relays.add(new Relay(this, port, target));
        } catch (IOException refused) {
            throw new UncheckedIOException("no relay at port " + port, refused);
        }
    }

    synchronized Link link(int from, int to) {
        return links.computeIfAbsent(from + ">" + to, name -> new Link(seed + links.size()));
    }

    Link link(NodeProcess from, NodeProcess to) {
        return link(from.port(), to.port());
    }

    /** From each of these to each of those; the other direction stays as it is. */
    void oneWay(List<NodeProcess> from, List<NodeProcess> to, Link.Way way) {
        for (NodeProcess sender : from) {
            for (NodeProcess receiver : to) {
                if (sender != receiver) {
                    link(sender, receiver).set(way);
                }
            }
        }
    }

    void between(List<NodeProcess> these, List<NodeProcess> those, Link.Way way) {
        oneWay(these, those, way);
        oneWay(those, these, way);
    }

    /** How often one node has connected to another so far. */
    synchronized int connections(NodeProcess from, NodeProcess to) {
        return connections.getOrDefault(from.port() + ">" + to.port(), 0);
    }

    synchronized void count(int from, int to) {
        connections.merge(from + ">" + to, 1, Integer::sum);
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

package dev.muster.core.partition;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which nodes host which partition, each path's nodes in the order in which they were given to it. */
public final class Placement {
    public static final Placement EMPTY = new Placement(new TreeMap<>());

    private final TreeMap<PartitionPath, List<NodeId>> hosts;

    private Placement(TreeMap<PartitionPath, List<NodeId>> hosts) {
        this.hosts = hosts;
    }

    public static Placement of(SortedMap<PartitionPath, List<NodeId>> hosts) {
        TreeMap<PartitionPath, List<NodeId>> copy = new TreeMap<>();
        hosts.forEach((path, nodes) -> copy.put(path, distinct(path, nodes)));
        return new Placement(copy);
    }

    private static List<NodeId> distinct(PartitionPath path, List<NodeId> nodes) {
        if (nodes.stream().distinct().count() < nodes.size()) {
            throw new IllegalArgumentException(
                    "instances of " + path + " must be on distinct nodes, but were on " + nodes);
        }
        return List.copyOf(nodes);
    }

    public SortedSet<PartitionPath> paths() {
        return Collections.unmodifiableSortedSet(hosts.navigableKeySet());
    }

    /** The instance nodes of a path; none when there is no such path. */
    public List<NodeId> hostsOf(PartitionPath path) {
        return hosts.getOrDefault(path, List.of());
    }

    public boolean has(PartitionPath path) {
        return hosts.containsKey(path);
    }

    public int instances() {
        return hosts.values().stream().mapToInt(List::size).sum();
    }

    /** This placement once the moves are done. Who comes takes the place in the order of who goes. */
    public Placement after(List<Move> moves) {
        TreeMap<PartitionPath, List<NodeId>> changed = new TreeMap<>(hosts);
        for (Move move : moves) {
            List<NodeId> nodes = new ArrayList<>(changed.getOrDefault(move.path(), List.of()));
            int place = nodes.indexOf(move.from());
            if (place < 0) {
                throw new IllegalArgumentException(move.from() + " does not host " + move.path() + ", but " + nodes);
            }
            nodes.set(place, move.to());
            changed.put(move.path(), distinct(move.path(), nodes));
        }
        return new Placement(changed);
    }

    /** What has to happen to get from here to there, path by path; whoever goes is paired with somebody who comes. */
    public List<PlacementChange> changesTo(Placement next) {
        TreeSet<PartitionPath> paths = new TreeSet<>(hosts.keySet());
        paths.addAll(next.hosts.keySet());
        List<PlacementChange> changes = new ArrayList<>();
        for (PartitionPath path : paths) {
            List<NodeId> going = without(hostsOf(path), next.hostsOf(path));
            List<NodeId> coming = without(next.hostsOf(path), hostsOf(path));
            for (int i = 0; i < Math.max(going.size(), coming.size()); i++) {
                changes.add(new PlacementChange(path, at(going, i), at(coming, i)));
            }
        }
        return changes;
    }

    private static List<NodeId> without(List<NodeId> nodes, List<NodeId> others) {
        return nodes.equals(others)
                ? List.of()
                : nodes.stream().filter(node -> !others.contains(node)).toList();
    }

    private static Optional<NodeId> at(List<NodeId> nodes, int index) {
        return index < nodes.size() ? Optional.of(nodes.get(index)) : Optional.empty();
    }

    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Placement that && hosts.equals(that.hosts);
    }

    @Override
    public int hashCode() {
        return hosts.hashCode();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<PartitionPath, List<NodeId>> entry : hosts.entrySet()) {
            text.append(text.isEmpty() ? "" : ", ").append(entry.getKey()).append(" -> ");
            text.append(entry.getValue());
        }
        return text.toString();
    }
}

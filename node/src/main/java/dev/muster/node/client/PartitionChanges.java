package dev.muster.node.client;

import dev.muster.node.client.PartitionView.Move;
import dev.muster.node.client.PartitionView.Row;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What happened to partitions between two looks at where they run. Used once. */
public final class PartitionChanges {

    /** More of one kind than these are one line: when a node goes, what it had goes too. */
    private static final int MOST_NAMED = 3;

    /** In the order in which they are told. */
    private enum Kind {
        LOST("lost its host", "lost their host"),
        MOVES("moves", "move"),
        STAYS("stays", "stay"),
        MOVED("moved", "moved"),
        STARTS("starts", "start"),
        STOPS("stops", "stop"),
        ENDED("ended", "ended");

        private final String ofOne;
        private final String ofMany;

        Kind(String ofOne, String ofMany) {
            this.ofOne = ofOne;
            this.ofMany = ofMany;
        }
    }

    /** What happened to one; {@code from} and {@code to} are empty where they mean nothing. */
    private record Found(String path, String from, String to) {}

    private final Set<String> members;
    private final Map<Kind, List<Found>> found = new EnumMap<>(Kind.class);

    private PartitionChanges(ClusterView cluster) {
        members = cluster.members().stream().map(ClusterView.Row::shortName).collect(Collectors.toSet());
    }

    /**
     * All changes, with the path as the one to whom it happened, or how many there were.
     *
     * @param cluster who is a member, looked at after {@code after}: so a host that was lost is none any more
     */
    public static List<Change> between(PartitionView before, PartitionView after, ClusterView cluster) {
        PartitionChanges changes = new PartitionChanges(cluster);
        Set<String> paths = new TreeSet<>(before.rows().keySet());
        paths.addAll(after.rows().keySet());
        for (String path : paths) {
            Row old = before.rows().get(path);
            Row now = after.rows().get(path);
            if (now == null) {
                changes.add(Kind.ENDED, path, "", "");
            } else {
                changes.compare(old == null ? new Row(path, List.of(), Optional.empty()) : old, now);
            }
        }
        return changes.told();
    }

    private void compare(Row old, Row now) {
        Set<String> gone = without(old.hosts(), now.hosts());
        Set<String> come = without(now.hosts(), old.hosts());
        now.move().filter(move -> !move.isPending() && come.contains(move.to())).ifPresent(move -> {
            // It may have moved twice since the last look. Then it came from where it was seen.
            gone.stream()
                    .filter(host -> gone.size() == 1 || host.equals(move.from()))
                    .findFirst()
                    .ifPresent(from -> {
                        add(Kind.MOVED, now.path(), from, move.to());
                        gone.remove(from);
                        come.remove(move.to());
                    });
        });
        now.pending()
                .filter(move -> !old.isMovingBy(move.id()))
                .ifPresent(move -> add(Kind.MOVES, now.path(), move.from(), move.to()));
        old.pending().filter(move -> hasStayed(move, now)).ifPresent(move -> {
            add(Kind.STAYS, now.path(), move.to(), move.from());
        });
        gone.forEach(host -> add(members.contains(host) ? Kind.STOPS : Kind.LOST, now.path(), host, ""));
        come.forEach(host -> add(Kind.STARTS, now.path(), "", host));
    }

    private static boolean hasStayed(Move move, Row now) {
        return !now.isMovingBy(move.id())
                && now.hosts().contains(move.from())
                && !now.hosts().contains(move.to());
    }

    private static Set<String> without(List<String> hosts, List<String> others) {
        Set<String> left = new TreeSet<>(hosts);
        left.removeAll(new HashSet<>(others));
        return left;
    }

    private void add(Kind kind, String path, String from, String to) {
        found.computeIfAbsent(kind, it -> new ArrayList<>()).add(new Found(path, from, to));
    }

    private List<Change> told() {
        List<Change> changes = new ArrayList<>();
        found.forEach((kind, list) -> {
            if (list.size() <= MOST_NAMED) {
                list.forEach(one -> changes.add(new Change(kind.ofOne, one.path(), detail(kind, one))));
            } else {
                changes.add(new Change(kind.ofMany, list.size() + " partitions", detail(kind, common(list))));
            }
        });
        return changes;
    }

    /** Where all came from and went to, as far as that is the same for all. */
    private static Found common(List<Found> list) {
        Set<String> from = list.stream().map(Found::from).collect(Collectors.toSet());
        Set<String> to = list.stream().map(Found::to).collect(Collectors.toSet());
        return new Found(
                "",
                from.size() == 1 ? from.iterator().next() : "",
                to.size() == 1 ? to.iterator().next() : "");
    }

    private static String detail(Kind kind, Found one) {
        return switch (kind) {
            case MOVES, MOVED -> (part("from ", one.from()) + " " + part("to ", one.to())).strip();
            case STAYS ->
                (part("on ", one.to()) + ", the move" + part(" to ", one.from()) + " was called off")
                        .replaceFirst("^, ", "");
            case STARTS -> part("on ", one.to());
            case STOPS -> part("on ", one.from());
            case LOST -> one.from();
            case ENDED -> "";
        };
    }

    private static String part(String word, String node) {
        return node.isEmpty() ? "" : word + node;
    }
}

package dev.muster.node.client;

import dev.muster.node.client.ClusterView.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Something that happened between two looks at the cluster.
 *
 * @param what a word or two, such as {@code joined} or {@code unreachable}
 * @param node whom it happened to: a node as host and port, or a partition by its path
 * @param detail more about it; may be empty
 */
public record Change(String what, String node, String detail) {

    /** All changes, in the order in which they most likely happened. */
    public static List<Change> between(ClusterView before, ClusterView after) {
        Map<String, Row> known = byKey(before);
        Map<String, Row> present = byKey(after);
        List<Change> changes = new ArrayList<>();
        for (Row row : after.members()) {
            Row old = known.get(row.key());
            if (old == null) {
                changes.add(new Change("joined", row.shortName(), ""));
            }
            if (!row.status().equals(old == null ? "Joining" : old.status())) {
                changes.add(new Change(word(row.status()), row.shortName(), ""));
            }
        }
        after.unreachable().keySet().stream().sorted().forEach(node -> {
            if (!before.unreachable().containsKey(node)) {
                changes.add(new Change("unreachable", ClusterView.shortened(node), observers(after, node)));
            }
        });
        before.unreachable().keySet().stream().sorted().forEach(node -> {
            boolean isMember =
                    after.members().stream().anyMatch(row -> row.node().equals(node));
            if (!after.unreachable().containsKey(node) && isMember) {
                changes.add(new Change("reachable again", ClusterView.shortened(node), ""));
            }
        });
        for (Row row : before.members()) {
            if (!present.containsKey(row.key())) {
                changes.add(new Change("removed", row.shortName(), "was " + row.status()));
            }
        }
        after.leader()
                .filter(leader -> !after.leader().equals(before.leader()))
                .ifPresent(leader -> changes.add(new Change("leads", ClusterView.shortened(leader), "")));
        return changes;
    }

    private static Map<String, Row> byKey(ClusterView view) {
        return view.members().stream().collect(Collectors.toMap(Row::key, Function.identity(), (a, b) -> b));
    }

    private static String observers(ClusterView view, String node) {
        return "so say "
                + view.unreachable().get(node).stream()
                        .map(ClusterView::shortened)
                        .collect(Collectors.joining(", "));
    }

    private static String word(String status) {
        return switch (status) {
            case "Up" -> "up";
            case "WeaklyUp" -> "weakly up";
            case "Leaving" -> "leaving";
            case "Exiting" -> "exiting";
            case "Down" -> "down";
            default -> status;
        };
    }

    @Override
    public String toString() {
        return String.format("%-16s%s%s", what, node, detail.isEmpty() ? "" : " (" + detail + ")");
    }
}

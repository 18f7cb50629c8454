package dev.muster.node.command;

import dev.muster.node.Terminal;
import dev.muster.node.client.ClusterView;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Help.Ansi;

/** Members for people to read. */
public final class MemberTable {

    private MemberTable() {}

    static List<String> lines(ClusterView view, Terminal terminal) {
        Table table =
                new Table(terminal.hasColours() ? Ansi.ON : Ansi.OFF, "node", "status", "", "unreachable for", "roles");
        for (ClusterView.Row row : view.members()) {
            table.row(
                    row.shortName(),
                    coloured(row.status()),
                    view.isLeader(row) ? "leader" : "",
                    observers(view, row),
                    String.join(",", row.ownRoles()));
        }
        return table.lines();
    }

    /** A status in the colour that says whether all is well. */
    public static String coloured(String status) {
        return switch (status) {
            case "Up" -> "@|green Up|@";
            case "Down", "gone" -> "@|red " + status + "|@";
            default -> "@|yellow " + status + "|@";
        };
    }

    /** Who cannot reach a member. */
    public static String observers(ClusterView view, ClusterView.Row row) {
        List<String> observers = view.unreachable().getOrDefault(row.node(), List.of());
        String list = observers.stream().map(ClusterView::shortened).collect(Collectors.joining(","));
        return list.isEmpty() ? "" : "@|red " + list + "|@";
    }
}

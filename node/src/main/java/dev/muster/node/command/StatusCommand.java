package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ClusterView;
import dev.muster.node.client.ManagementClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Answers whether the cluster is well. */
@Command(
        name = "status",
        description = "Says in a few lines whether the cluster is well.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster status",
            "  muster status --json",
            "",
            "The exit code is 0 if all members have seen the same and all can be reached, else 1."
        })
public final class StatusCommand extends NodeQuestion {

    public StatusCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        ManagementClient client = client();
        Answer members = client.get("/cluster/members");
        Answer gossip = client.get("/cluster/gossip");
        if (!members.isGood() || !gossip.isGood()) {
            return refused(members.isGood() ? gossip : members);
        }
        ClusterView view = ClusterView.of(members.body());
        boolean converged = gossip.body().path("converged").asBoolean(false);
        String why = gossip.body().path("why").asString("");
        if (wantsJson()) {
            printJson(fields(view, converged, why));
        } else {
            print(view, converged, why);
        }
        return isWell(view, converged) ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    private static boolean isWell(ClusterView view, boolean converged) {
        return converged && view.unreachable().isEmpty() && !view.members().isEmpty();
    }

    private static Map<String, Object> fields(ClusterView view, boolean converged, String why) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("well", isWell(view, converged));
        fields.put("converged", converged);
        fields.put("why", why);
        fields.put("members", view.members().size());
        fields.put("byStatus", byStatus(view));
        fields.put("unreachable", unreachable(view));
        fields.put("leader", view.leader().orElse(null));
        fields.put("selfNode", view.selfNode());
        return fields;
    }

    private void print(ClusterView view, boolean converged, String why) {
        String counts = byStatus(view).entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
        line("members", view.members().size() + (counts.isEmpty() ? "" : " (" + counts + ")"));
        line("leader", view.leader().map(ClusterView::shortened).orElse("none"));
        line("unreachable", unreachable(view).isEmpty() ? "none" : String.join(", ", unreachable(view)));
        String answer = converged ? "yes" : "no";
        line("converged", why.isEmpty() ? answer : answer + ", " + why.replaceFirst("^(not )?converged:? ", ""));
        line("as seen by", ClusterView.shortened(view.selfNode()));
    }

    private void line(String name, String value) {
        terminal().out().printf("%-12s%s%n", name, value);
    }

    private static Map<String, Long> byStatus(ClusterView view) {
        return view.members().stream()
                .collect(Collectors.groupingBy(ClusterView.Row::status, TreeMap::new, Collectors.counting()));
    }

    private static List<String> unreachable(ClusterView view) {
        return view.unreachable().keySet().stream()
                .map(ClusterView::shortened)
                .sorted()
                .toList();
    }
}

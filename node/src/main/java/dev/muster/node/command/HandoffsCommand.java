package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ClusterView;
import dev.muster.node.client.NotReachableException;
import dev.muster.node.client.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Shows which partitions are on the move. */
@Command(
        name = "handoffs",
        description = "Shows partitions on the move: from where to where, how far, and what waits.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster handoffs                         as one node sees it",
            "  muster handoffs --all                   as every node at the places of --at sees it",
            "  muster handoffs --json",
            "",
            "Only the two nodes of a move know how far it is, and only the leader which moves wait for their turn.",
            "--json prints what GET /cluster/handoffs answers; with --all, a list of those as 'views'."
        })
public final class HandoffsCommand extends NodeQuestion {

    @Option(names = "--all", description = "ask every place of --at that answers, not only the first")
    private boolean all;

    public HandoffsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        List<Answer> answers = all ? answersOfAll() : List.of(client().get("/cluster/handoffs"));
        List<Answer> refusals =
                answers.stream().filter(answer -> !answer.isGood()).toList();
        List<JsonNode> views =
                answers.stream().filter(Answer::isGood).map(Answer::body).toList();
        if (views.isEmpty()) {
            int code = refused(refusals.get(0));
            refusals.stream().skip(1).forEach(this::sayRefusal);
            return code;
        }
        refusals.forEach(this::sayRefusal);
        if (!wantsJson()) {
            show(views);
        } else if (all) {
            printJson(Map.of("views", views));
        } else {
            printJson(views.get(0));
        }
        return ExitCode.DONE;
    }

    private List<Answer> answersOfAll() throws InterruptedException {
        Map<String, Answer> byNode = new LinkedHashMap<>();
        List<String> failures = new ArrayList<>();
        for (Target target : targets()) {
            try {
                Answer answer = client(List.of(target)).get("/cluster/handoffs");
                byNode.put(answer.body().path("selfNode").asString(target.toString()), answer);
            } catch (NotReachableException silent) {
                failures.add(target.toString());
            }
        }
        if (byNode.isEmpty()) {
            return List.of(client().get("/cluster/handoffs")); // which says at length that nobody is there
        }
        if (!failures.isEmpty()) {
            terminal().err().println("muster: nobody answers at " + String.join(", ", failures));
        }
        return List.copyOf(byNode.values());
    }

    private void show(List<JsonNode> views) {
        Ansi ansi = terminal().hasColours() ? Ansi.ON : Ansi.OFF;
        Table moves = new Table(ansi, "partition", "from", "to", "age", "waiting", "phase", "as seen by", "why");
        Table waiting = new Table(ansi, "waits", "from", "to", "why");
        boolean isAnyUnderWay = false;
        boolean isAnyWaiting = false;
        for (JsonNode view : views) {
            for (JsonNode move : view.path("handoffs")) {
                moves.row(cells(move, shortened(view, "selfNode")));
                isAnyUnderWay = true;
            }
            for (JsonNode move : view.path("waiting")) {
                waiting.row(
                        move.path("path").asString(),
                        shortened(move, "from"),
                        shortened(move, "to"),
                        move.path("reason").asString());
                isAnyWaiting = true;
            }
        }
        if (isAnyUnderWay) {
            moves.lines().forEach(terminal().out()::println);
        } else {
            terminal().out().println("nothing is on the move, as seen by " + names(views));
        }
        if (isAnyWaiting) {
            terminal().out().println();
            waiting.lines().forEach(terminal().out()::println);
        }
    }

    private static String[] cells(JsonNode move, String seenBy) {
        boolean isPart = move.has("bufferedMessages");
        List<String> notSwitched = new ArrayList<>();
        move.path("notSwitched").forEach(node -> notSwitched.add(ClusterView.shortened(node.asString())));
        return new String[] {
            move.path("path").asString(),
            shortened(move, "from"),
            shortened(move, "to"),
            move.has("ageMillis") ? seconds(move.path("ageMillis").asLong()) : "",
            isPart
                    ? move.path("bufferedMessages").asInt() + " ("
                            + bytes(move.path("bufferedBytes").asLong()) + ")"
                    : "",
            move.path("phase").asString() + (notSwitched.isEmpty() ? "" : ": not " + String.join(",", notSwitched)),
            seenBy,
            move.path("reason").asString("")
        };
    }

    private static String names(List<JsonNode> views) {
        return String.join(
                ", ", views.stream().map(view -> shortened(view, "selfNode")).toList());
    }

    private static String shortened(JsonNode object, String field) {
        return ClusterView.shortened(object.path(field).asString(""));
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1e3);
    }

    private static String bytes(long count) {
        return count < 10_000 ? count + " B" : count / 1_000 + " kB";
    }
}

package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ClusterView;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What the commands have in common that ask for partitions to be moved: they can show the plan. */
abstract class PartitionChange extends NodeQuestion {

    @Option(names = "--dry-run", description = "only show what would be moved, and why")
    private boolean dryRun;

    PartitionChange(Terminal terminal) {
        super(terminal);
    }

    final int ask(String path, Map<String, String> wish) throws InterruptedException {
        Map<String, String> parameters = new LinkedHashMap<>(wish);
        if (dryRun) {
            parameters.put("dryRun", "true");
        }
        Answer answer = client().send("POST", path, parameters);
        if (!answer.isGood()) {
            return refused(answer);
        }
        if (wantsJson()) {
            printJson(answer.body());
        } else {
            show(answer);
        }
        String warning = answer.body().path("warning").asString("");
        if (!warning.isEmpty()) {
            terminal().err().println("muster: " + warning);
        }
        return ExitCode.DONE;
    }

    private void show(Answer answer) {
        terminal().out().println(answer.message());
        JsonNode plan = answer.body().path("plan");
        if (dryRun && !plan.path("moves").isEmpty()) {
            showMoves(plan.path("moves"));
            showLoads(plan.path("loads"));
        } else if (!dryRun && !plan.path("moves").isEmpty()) {
            terminal().out().println("'muster handoffs --all" + givenPlaces() + "' shows how far it is");
        }
    }

    private void showMoves(JsonNode moves) {
        Table table = table("partition", "from", "to", "why");
        for (JsonNode move : moves) {
            table.row(
                    move.path("path").asString(),
                    ClusterView.shortened(move.path("from").asString()),
                    ClusterView.shortened(move.path("to").asString()),
                    move.path("reason").asString());
        }
        print(table);
    }

    private void showLoads(JsonNode loads) {
        Table table = table("node", "instances", "after", "load", "after");
        for (JsonNode load : loads) {
            table.row(
                    ClusterView.shortened(load.path("node").asString()),
                    load.path("before").path("instances").asString(),
                    load.path("after").path("instances").asString(),
                    load.path("before").path("load").asString(),
                    load.path("after").path("load").asString());
        }
        print(table);
    }

    private Table table(String... headings) {
        return new Table(terminal().hasColours() ? Ansi.ON : Ansi.OFF, headings);
    }

    private void print(Table table) {
        terminal().out().println();
        table.lines().forEach(terminal().out()::println);
    }
}

package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ClusterView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;

/** Shows where partitions run. */
@Command(
        name = "partitions",
        description = "Shows where partitions run, as the asked node knows.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster partitions",
            "  muster partitions --json",
            "",
            "Messages that wait, and load, are those of each instance in the order of its hosts: the work of a fully",
            "busy node is a load of 1, divided by what waits, and each instance weighs something by being there.",
            "--json prints what GET /cluster/partitions answers."
        })
public final class PartitionsCommand extends NodeQuestion {

    public PartitionsCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        Answer answer = client().get("/cluster/partitions");
        if (!answer.isGood()) {
            return refused(answer);
        }
        if (wantsJson()) {
            printJson(answer.body());
        } else if (answer.body().path("partitions").isEmpty()) {
            terminal().out().println("there are no partitions; applications make them with Cluster.host");
        } else {
            lines(answer.body().path("partitions")).forEach(terminal().out()::println);
            loads(answer.body().path("loads")).forEach(terminal().out()::println);
        }
        return ExitCode.DONE;
    }

    /** How busy nodes are, which decides about scaling and moves; nothing before any has said so. */
    private List<String> loads(JsonNode nodes) {
        Table table = new Table(terminal().hasColours() ? Ansi.ON : Ansi.OFF, "node", "cpu", "gc", "waiting");
        boolean isKnown = false;
        for (JsonNode node : nodes) {
            isKnown |= node.path("cpuLoad").isNumber();
            table.row(
                    ClusterView.shortened(node.path("node").asString()),
                    percent(node.path("cpuLoad")),
                    percent(node.path("gcShare")),
                    node.path("waiting").isNumber() ? node.path("waiting").asString() : "?");
        }
        List<String> lines = new ArrayList<>();
        if (isKnown) {
            lines.add("");
            lines.addAll(table.lines());
        }
        return lines;
    }

    private static String percent(JsonNode share) {
        return share.isNumber() ? Math.round(share.asDouble() * 100) + " %" : "?";
    }

    private List<String> lines(JsonNode partitions) {
        Table table = new Table(
                terminal().hasColours() ? Ansi.ON : Ansi.OFF,
                "partition",
                "instances",
                "on",
                "waiting",
                "load",
                "policy",
                "epoch",
                "role",
                "move");
        for (JsonNode partition : partitions) {
            int running = partition.path("instances").size()
                    - partition.path("unreachable").size();
            int wanted = partition.path("wanted").asInt();
            String count = running + " of " + wanted + upTo(partition, wanted);
            table.row(
                    partition.path("path").asString(),
                    running < wanted ? "@|yellow " + count + "|@" : count,
                    String.join(",", hosts(partition)),
                    perInstance(partition.path("waiting"), JsonNode::asString),
                    perInstance(partition.path("load"), load -> String.format(Locale.ROOT, "%.2f", load.asDouble())),
                    partition.path("policy").asString(),
                    partition.path("epoch").asString(),
                    partition.path("role").asString(),
                    move(partition.path("move")));
        }
        return table.lines();
    }

    /** A host that cannot be reached is marked: whether its instance runs, nobody here can say. */
    private static List<String> hosts(JsonNode partition) {
        Set<String> unreachable = new HashSet<>();
        partition.path("unreachable").forEach(host -> unreachable.add(host.asString()));
        List<String> hosts = new ArrayList<>();
        for (JsonNode host : partition.path("instances")) {
            String name = ClusterView.shortened(host.asString());
            hosts.add(unreachable.contains(host.asString()) ? "@|yellow " + name + " (unreachable)|@" : name);
        }
        return hosts;
    }

    /** How many there may be under load, and how many are expected to be needed, if that is said. */
    private static String upTo(JsonNode partition, int wanted) {
        int most = partition.path("most").asInt(wanted);
        int hint = partition.path("hint").asInt(0);
        return (most > wanted ? ".." + most : "") + (hint > 0 ? " hint " + hint : "");
    }

    /** What is known of each instance, in the order of the hosts; nothing if it is known of none. */
    private static String perInstance(JsonNode numbers, Function<JsonNode, String> text) {
        List<String> texts = new ArrayList<>();
        boolean isKnown = false;
        for (JsonNode number : numbers) {
            isKnown |= number.isNumber();
            texts.add(number.isNumber() ? text.apply(number) : "?");
        }
        return isKnown ? String.join(",", texts) : "";
    }

    /** What is under way, else where an instance came from. */
    private static String move(JsonNode move) {
        if (move.isMissingNode()) {
            return "";
        }
        String from = ClusterView.shortened(move.path("from").asString());
        String to = ClusterView.shortened(move.path("to").asString());
        return move.path("stage").asString().equals("pending")
                ? "@|yellow from " + from + " to " + to + "|@"
                : to + " was " + from;
    }
}

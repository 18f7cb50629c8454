package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What the commands have in common that ask a node to change who is in the cluster. */
abstract class NodeChange extends NodeQuestion {

    @Parameters(index = "0", paramLabel = "NODE", description = "host:port of the node, as 'muster members' shows it")
    private String node;

    @Option(names = "--dry-run", description = "only say what would happen")
    private boolean dryRun;

    NodeChange(Terminal terminal) {
        super(terminal);
    }

    final String node() {
        if (node.isBlank()) {
            throw wrong("NODE is empty; give host:port of a node, like 127.0.0.1:2553");
        }
        return node;
    }

    final boolean isDryRun() {
        return dryRun;
    }

    /** The parameters of the request, and whether it is meant. */
    final Map<String, String> parameters(String name, String value) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(name, value);
        if (dryRun) {
            parameters.put("dryRun", "true");
        }
        return parameters;
    }

    final int tell(Answer answer) {
        if (!answer.isGood()) {
            return refused(answer);
        }
        if (wantsJson()) {
            printJson(answer.body());
        } else {
            terminal().out().println(answer.message());
        }
        return ExitCode.DONE;
    }
}

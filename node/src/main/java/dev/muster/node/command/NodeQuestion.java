package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ManagementClient;
import dev.muster.node.client.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** What all commands have in common that ask a running node something: where it is, and in which form to answer. */
abstract class NodeQuestion implements Callable<Integer> {

    /** In the environment and not on the command line, where every user of the machine could read it. */
    private static final String TOKEN_VARIABLE = "MUSTER_TOKEN";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Option(
            names = "--at",
            paramLabel = "HOST:PORT",
            description = "where a node serves HTTP; may be repeated, the first that answers counts"
                    + " (default: 127.0.0.1, ports 8558 to 8562). With a token in the variable MUSTER_TOKEN")
    private List<String> at = List.of();

    @Option(names = "--json", description = "print one JSON object on standard output")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    @SuppressWarnings("UnusedVariable") // Its being there is all that picocli needs.
    private boolean help;

    @Spec
    private CommandSpec spec;

    private final Terminal terminal;

    NodeQuestion(Terminal terminal) {
        this.terminal = terminal;
    }

    final Terminal terminal() {
        return terminal;
    }

    final boolean wantsJson() {
        return json;
    }

    /** The nodes to ask, the first of them first. */
    final List<Target> targets() {
        if (at.isEmpty()) {
            return Target.usual();
        }
        List<Target> targets = new ArrayList<>();
        for (String place : at) {
            try {
                targets.add(Target.parse(place));
            } catch (IllegalArgumentException noTarget) {
                throw wrong("--at " + noTarget.getMessage());
            }
        }
        return targets;
    }

    /** The places that were given, as another command would have to be given them. */
    final String givenPlaces() {
        return at.stream().map(place -> " --at " + place).collect(Collectors.joining());
    }

    final ManagementClient client(List<Target> targets) {
        return new ManagementClient(targets, token());
    }

    final ManagementClient client() {
        return client(targets());
    }

    static Optional<String> token() {
        return Optional.ofNullable(System.getenv(TOKEN_VARIABLE)).filter(text -> !text.isBlank());
    }

    final void printJson(Object value) {
        terminal.out().println(JSON.writeValueAsString(value));
    }

    /** Says why a node would not do it, and which exit code that is. */
    final int refused(Answer answer) {
        if (json) {
            printJson(answer.body());
        }
        sayRefusal(answer);
        if (answer.status() == 400) {
            return ExitCode.WRONG_USAGE;
        }
        return answer.status() >= 500 ? ExitCode.COULD_NOT_REACH_A_NODE : ExitCode.ANSWER_IS_NO;
    }

    /** Says why a node would not do it, where the others may have done it. */
    final void sayRefusal(Answer answer) {
        terminal.err().println("muster: " + answer.from() + " says: " + answer.message());
        if (answer.status() == 401) {
            terminal.err().println("Put its token into the environment variable " + TOKEN_VARIABLE + ".");
        }
    }

    final ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}

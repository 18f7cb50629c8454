package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ManagementClient;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Asks a node why things are as they are. */
@Command(
        name = "explain",
        description = "Says in plain sentences why the cluster is as it is.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster explain                              whatever is going on",
            "  muster explain convergence                  do all members know the same, and if not, why?",
            "  muster explain unreachable 127.0.0.1:2553   who cannot reach it, and since when?",
            "  muster explain not-up 127.0.0.1:2553        what does it wait for?",
            "  muster explain partition counters/3         why is it where it is, and what happens next?"
        })
public final class ExplainCommand extends NodeQuestion {

    private static final String PARTITION = "partition";
    private static final List<String> ABOUT_ONE = List.of("unreachable", "not-up", PARTITION);

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "QUESTION",
            description = "convergence, unreachable, not-up or partition (default: everything)")
    private String question;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NODE|PATH",
            description = "host:port of the node, or the path of the partition, that it is about")
    private String subject;

    public ExplainCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        Answer answer = client().get("/cluster/explain" + query());
        if (!answer.isGood()) {
            return refused(answer);
        }
        if (wantsJson()) {
            printJson(answer.body());
        } else {
            for (JsonNode sentence : answer.body().path("answer")) {
                terminal().out().println(sentence.asString(""));
            }
        }
        return ExitCode.DONE;
    }

    private String query() {
        if (question == null) {
            return "";
        }
        boolean isAboutOne = ABOUT_ONE.contains(question);
        if (!isAboutOne && !question.equals("convergence")) {
            throw wrong("QUESTION '" + question + "' is unknown; choose convergence, unreachable, not-up or partition");
        }
        String kind = question.equals(PARTITION) ? "path" : "node";
        if (isAboutOne != (subject != null)) {
            throw wrong(
                    isAboutOne
                            ? "'" + question + "' is about one " + (kind.equals("path") ? "partition" : "node")
                                    + "; add its " + (kind.equals("path") ? "path" : "host:port")
                            : "'" + question + "' is about the whole cluster; leave out '" + subject + "'");
        }
        return "?question=" + question + (isAboutOne ? "&" + kind + "=" + ManagementClient.encoded(subject) : "");
    }
}

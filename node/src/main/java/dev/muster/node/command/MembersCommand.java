package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ClusterView;
import picocli.CommandLine.Command;

/** Shows who is in the cluster. */
@Command(
        name = "members",
        description = "Shows who is in the cluster, in which status, and who cannot be reached.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster members",
            "  muster members --at 10.0.0.7:8558 --at 10.0.0.8:8558",
            "  muster members --json",
            "",
            "--json prints what GET /cluster/members answers."
        })
public final class MembersCommand extends NodeQuestion {

    public MembersCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        Answer answer = client().get("/cluster/members");
        if (!answer.isGood()) {
            return refused(answer);
        }
        if (wantsJson()) {
            printJson(answer.body());
            return ExitCode.DONE;
        }
        ClusterView view = ClusterView.of(answer.body());
        if (view.members().isEmpty()) {
            terminal().out().println(view.selfNode() + " is in no cluster; 'muster join' lets it join one");
        } else {
            MemberTable.lines(view, terminal()).forEach(terminal().out()::println);
        }
        return ExitCode.DONE;
    }
}

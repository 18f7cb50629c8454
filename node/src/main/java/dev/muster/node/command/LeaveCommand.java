package dev.muster.node.command;

import dev.muster.node.Terminal;
import dev.muster.node.client.ManagementClient;
import picocli.CommandLine.Command;

/** Lets a member leave in good order. */
@Command(
        name = "leave",
        description = "Lets a member leave in good order, and its process end.",
        footerHeading = "%nExamples:%n",
        footer = {"  muster leave 127.0.0.1:2553", "  muster leave 127.0.0.1:2553 --dry-run"})
public final class LeaveCommand extends NodeChange {

    public LeaveCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        String path = "/cluster/members/" + ManagementClient.encoded(node());
        return tell(client().send("PUT", path, parameters("operation", "Leave")));
    }
}

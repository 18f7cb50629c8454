package dev.muster.node.command;

import dev.muster.node.Terminal;
import dev.muster.node.client.ManagementClient;
import picocli.CommandLine.Command;

/** Declares a member gone. */
@Command(
        name = "down",
        description = {
            "Declares a member gone, at once and for good.",
            "Only for a process that is dead, or that you stop too.",
            "One that lives on elsewhere would be a second cluster."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  muster down 127.0.0.1:2553", "  muster down 127.0.0.1:2553 --dry-run"})
public final class DownCommand extends NodeChange {

    public DownCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        String path = "/cluster/members/" + ManagementClient.encoded(node());
        return tell(client().send("PUT", path, parameters("operation", "Down")));
    }
}

package dev.muster.node.command;

import dev.muster.node.Terminal;
import dev.muster.node.client.Target;
import java.util.List;
import picocli.CommandLine.Command;

/** Tells one node to join another. Only that one is asked, because it makes a difference which. */
@Command(
        name = "join",
        description = "Tells the node at --at to join the cluster that NODE is a member of.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster join 127.0.0.1:2551 --at 127.0.0.1:8560",
            "",
            "Without --at the node at 127.0.0.1:8558 is told. No other one is tried."
        })
public final class JoinCommand extends NodeChange {

    public JoinCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        Target joiner = targets().get(0);
        return tell(client(List.of(joiner)).send("POST", "/cluster/members", parameters("address", node())));
    }
}

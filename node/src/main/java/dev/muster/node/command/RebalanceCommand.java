package dev.muster.node.command;

import dev.muster.node.Terminal;
import java.util.Map;
import picocli.CommandLine.Command;

/** Lets partitions be spread evenly. */
@Command(
        name = "rebalance",
        description = "Lets partitions be spread evenly over the nodes that may host them.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster rebalance --dry-run   which moves, why, and what each node carries before and after",
            "  muster rebalance",
            "",
            "It returns when the leader is told. The leader makes its own plan, and moves a few at a time."
        })
public final class RebalanceCommand extends PartitionChange {

    public RebalanceCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        return ask("/cluster/partitions/rebalance", Map.of());
    }
}

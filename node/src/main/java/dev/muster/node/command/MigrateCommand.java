package dev.muster.node.command;

import dev.muster.node.Terminal;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Moves an instance of a partition to a node of one's choice. */
@Command(
        name = "migrate",
        description = "Moves an instance of a partition to another node, by the rules of its handoff policy.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster migrate counters/3 --to 127.0.0.1:2553",
            "  muster migrate clock --to 127.0.0.1:2553 --dry-run",
            "  muster migrate search --from 127.0.0.1:2551 --to 127.0.0.1:2553",
            "",
            "Without --from, of several instances the first that 'muster partitions' shows is moved.",
            "It returns when the leader is told."
        })
public final class MigrateCommand extends PartitionChange {

    @Parameters(index = "0", paramLabel = "PATH", description = "of the partition, as 'muster partitions' shows it")
    private String path;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "NODE",
            description = "host:port of the new host, as 'muster members' shows it")
    private String to;

    @Option(names = "--from", paramLabel = "NODE", description = "host:port of the host that gives its instance away")
    private String from;

    public MigrateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (path.isBlank()) {
            throw wrong("PATH is empty; give the path of a partition, like counters/3");
        }
        if (to.isBlank()) {
            throw wrong("--to is empty; give host:port of a node, like 127.0.0.1:2553");
        }
        if (from != null && from.isBlank()) {
            throw wrong("--from is empty; give host:port of a node, like 127.0.0.1:2551, or leave it out");
        }
        Map<String, String> wish = new LinkedHashMap<>();
        wish.put("path", path);
        wish.put("to", to);
        if (from != null) {
            wish.put("from", from);
        }
        return ask("/cluster/partitions/migrate", wish);
    }
}

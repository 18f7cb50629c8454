package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.Change;
import dev.muster.node.client.ClusterView;
import dev.muster.node.client.ManagementClient;
import dev.muster.node.client.NotReachableException;
import dev.muster.node.client.PartitionChanges;
import dev.muster.node.client.PartitionView;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows the cluster as it changes. */
@Command(
        name = "watch",
        description =
                "Shows who is in the cluster, and tells what changes, also where partitions run. Ends with Ctrl-C.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster watch",
            "  muster watch --for 1m > changes.txt",
            "",
            "Many partitions that go the same way are one line. Where standard output is no terminal, only changes are",
            "printed. --json needs --for and prints one object with all changes at the end."
        })
public final class WatchCommand extends NodeQuestion {

    static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    @Option(
            names = "--every",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "500ms",
            description = "how often to look (default: ${DEFAULT-VALUE})")
    private Duration every;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "end by itself after this time (default: never)")
    private Duration length;

    private final List<Map<String, Object>> changes = new ArrayList<>();

    public WatchCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (wantsJson() && length == null) {
            throw wrong("--json prints one object at the end, so it needs an end; add --for TIME");
        }
        long startNanos = System.nanoTime();
        ManagementClient client = client();
        LiveBlock block = new LiveBlock(terminal());
        ClusterView view = ClusterView.NOTHING;
        Optional<PartitionView> partitions = Optional.empty();
        boolean wasLost = false;
        while (true) {
            try {
                // Before the members: so whoever was lost by then is no member any more.
                Optional<PartitionView> there = partitions(client, partitions);
                Answer answer = client.get("/cluster/members");
                if (!answer.isGood()) {
                    return refused(answer);
                }
                ClusterView next = ClusterView.of(answer.body());
                tell(Change.between(view, next), "node", block);
                if (partitions.isPresent() && there.isPresent()) {
                    tell(PartitionChanges.between(partitions.get(), there.get(), next), "partition", block);
                }
                view = next;
                partitions = there;
                wasLost = false;
                show(block, view, answer.from().toString());
            } catch (NotReachableException nobody) {
                if (view == ClusterView.NOTHING) {
                    throw nobody;
                }
                if (!wasLost) {
                    say(block, now() + "  no node answers any more; still trying");
                }
                wasLost = true;
            }
            if (length != null && System.nanoTime() - startNanos >= length.toNanos()) {
                return finish(view, wasLost);
            }
            Thread.sleep(every.toMillis());
        }
    }

    /** What is there now; what was there before, if whoever answers cannot tell or has not heard of it yet. */
    private static Optional<PartitionView> partitions(ManagementClient client, Optional<PartitionView> before)
            throws InterruptedException {
        Answer answer = client.get("/cluster/partitions");
        if (!answer.isGood()) {
            return before;
        }
        PartitionView now = PartitionView.of(answer.body());
        return before.filter(now::isOlderThan).or(() -> Optional.of(now));
    }

    private void tell(List<Change> found, String whom, LiveBlock block) {
        for (Change change : found) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("at", now());
            fields.put("what", change.what());
            fields.put(whom, change.node());
            fields.put("detail", change.detail());
            changes.add(fields);
            say(block, now() + "  " + change);
        }
    }

    private void say(LiveBlock block, String line) {
        if (wantsJson()) {
            terminal().err().println(line);
        } else {
            block.tell(line);
        }
    }

    private void show(LiveBlock block, ClusterView view, String from) {
        if (wantsJson()) {
            return;
        }
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(MemberTable.lines(view, terminal()));
        lines.add("");
        lines.add("as seen by the node at " + from + ", " + now() + "; Ctrl-C ends");
        block.show(lines);
    }

    private int finish(ClusterView view, boolean isLost) {
        if (wantsJson()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("changes", changes);
            fields.put("members", view.members().size());
            fields.put("up", view.up());
            fields.put(
                    "unreachable", view.unreachable().keySet().stream().sorted().toList());
            printJson(fields);
        }
        return isLost ? ExitCode.COULD_NOT_REACH_A_NODE : ExitCode.DONE;
    }

    private static String now() {
        return TIME.format(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS));
    }
}

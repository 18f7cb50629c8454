package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ClusterView;
import dev.muster.node.client.ClusterView.Row;
import dev.muster.node.client.ManagementClient;
import dev.muster.node.client.NotReachableException;
import dev.muster.node.client.PartitionView;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lets a member leave in good order. */
@Command(
        name = "leave",
        description = "Lets a member leave in good order, and its process end.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster leave 127.0.0.1:2553",
            "  muster leave 127.0.0.1:2553 --wait 90s",
            "  muster leave 127.0.0.1:2553 --dry-run",
            "",
            "It first hands over the partitions that others can host, for up to drain-timeout (60 s by default).",
            "Without --wait the command returns at once; 'muster watch' shows how far it is. With --wait the exit code",
            "is 1 if it is not gone in time, or has gone without handing over something. --json prints what the route",
            "answers; with --wait done, left (null if nobody can tell) and waitedSeconds."
        })
public final class LeaveCommand extends NodeChange {

    /** Short, because a member is not exiting for long. */
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int MOST_NAMED = 5;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "wait so long until it has gone, and say what it has not handed over")
    private Duration wait;

    private final Pace pace;

    public LeaveCommand(Terminal terminal) {
        this(terminal, Pace.REAL);
    }

    LeaveCommand(Terminal terminal, Pace pace) {
        super(terminal);
        this.pace = pace;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (wait != null && isDryRun()) {
            throw wrong("--wait waits for what --dry-run does not do; leave out one of them");
        }
        ManagementClient client = client();
        String path = "/cluster/members/" + ManagementClient.encoded(node());
        Answer answer = client.send("PUT", path, parameters("operation", "Leave"));
        if (wait == null || !answer.isGood()) {
            return tell(answer);
        }
        Optional<Row> leaver = ClusterView.of(answer.body().path("state")).members().stream()
                .filter(row -> row.node().equals(node()) || row.shortName().equals(node()))
                .findFirst();
        if (!wantsJson()) {
            terminal().out().println(answer.message());
            terminal().flush();
        }
        if (leaver.isEmpty()) {
            throw wrong("NODE '" + node() + "' is not in the answer; give it as 'muster members' shows it");
        }
        return await(client, leaver.get());
    }

    private int await(ManagementClient client, Row leaver) throws InterruptedException {
        long startNanos = pace.nanos();
        WatchedLeaver left = new WatchedLeaver(leaver);
        while (true) {
            Duration waited = Duration.ofNanos(pace.nanos() - startNanos);
            boolean isLast = waited.compareTo(wait) >= 0;
            try {
                // In this order: what it had when it was seen last counts, not what it has when it is gone.
                Optional<PartitionView> table =
                        isLast || left.wantsTable(pace.nanos()) ? table(client, left) : Optional.empty();
                Answer members = client.get("/cluster/members");
                if (members.isGood() && left.look(table, ClusterView.of(members.body()))) {
                    return tellEnd(left, waited);
                }
            } catch (NotReachableException nobody) {
                if (isLast) {
                    throw nobody; // whether it has gone, nobody can tell; maybe it was the only one to ask
                }
            }
            if (isLast) {
                return tellThatItStays(left, waited);
            }
            pace.pause(POLL_NANOS);
        }
    }

    private Optional<PartitionView> table(ManagementClient client, WatchedLeaver left) throws InterruptedException {
        long startNanos = pace.nanos();
        try {
            Answer answer = client.get("/cluster/partitions");
            return answer.isGood() ? Optional.of(PartitionView.of(answer.body())) : Optional.empty();
        } finally {
            left.asked(startNanos, pace.nanos());
        }
    }

    private int tellEnd(WatchedLeaver left, Duration waited) {
        if (wantsJson()) {
            printEnd(true, left.isKnown() ? left.paths() : null, waited);
        } else if (!left.isKnown()) {
            terminal()
                    .out()
                    .println(node() + " has gone; its log says whether it had handed over "
                            + (left.paths().isEmpty() ? "all" : named(left.paths())));
        } else if (left.paths().isEmpty()) {
            terminal().out().println(node() + " has gone, and had no partition left");
        } else {
            terminal().err().println("muster: " + node() + " has gone without handing over " + named(left.paths()));
        }
        return left.isKnown() && !left.paths().isEmpty() ? ExitCode.ANSWER_IS_NO : ExitCode.DONE;
    }

    private int tellThatItStays(WatchedLeaver left, Duration waited) {
        if (wantsJson()) {
            printEnd(false, left.paths(), waited);
        } else {
            terminal()
                    .err()
                    .println("muster: " + node() + " has not gone after " + DurationConverter.text(wait)
                            + (left.paths().isEmpty()
                                    ? ", with no partition left; 'muster explain' says what is waited for"
                                    : ", and still hosts " + named(left.paths())));
        }
        return ExitCode.ANSWER_IS_NO;
    }

    private void printEnd(boolean isGone, List<String> left, Duration waited) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("done", isGone);
        fields.put("left", left);
        fields.put("waitedSeconds", waited.toMillis() / 1000.0);
        printJson(fields);
    }

    private static String named(List<String> paths) {
        return paths.size() <= MOST_NAMED
                ? String.join(", ", paths)
                : String.join(", ", paths.subList(0, MOST_NAMED)) + " and " + (paths.size() - MOST_NAMED) + " more";
    }
}

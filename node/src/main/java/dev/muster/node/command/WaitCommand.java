package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.node.client.Answer;
import dev.muster.node.client.ClusterView;
import dev.muster.node.client.ManagementClient;
import dev.muster.node.client.NotReachableException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Waits until enough members are up. */
@Command(
        name = "wait",
        description = "Waits until at least so many members are up and can be reached.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster wait --up 5 --timeout 30s && echo go",
            "",
            "The exit code is 0 when they are, 1 if not in time, 3 if no node answered in all that time."
        })
public final class WaitCommand extends NodeQuestion {

    private static final long POLL_MILLIS = 100;

    @Option(names = "--up", paramLabel = "N", required = true, description = "how many")
    private int up;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            defaultValue = "30s",
            description = "how long to wait, like 30s or 2m (default: ${DEFAULT-VALUE})")
    private Duration timeout;

    public WaitCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public Integer call() throws InterruptedException {
        if (up < 1) {
            throw wrong("--up '" + up + "' is too small; give at least 1");
        }
        long startNanos = System.nanoTime();
        ManagementClient client = client();
        long found = 0;
        NotReachableException unreachable = null;
        while (true) {
            try {
                Answer answer = client.get("/cluster/members");
                if (!answer.isGood()) {
                    return refused(answer);
                }
                unreachable = null;
                found = ClusterView.of(answer.body()).upAndReachable();
            } catch (NotReachableException nobody) {
                unreachable = nobody;
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - startNanos);
            if (found >= up && unreachable == null) {
                return tell(found, waited, true);
            }
            if (waited.compareTo(timeout) >= 0) {
                if (unreachable != null) {
                    throw unreachable;
                }
                return tell(found, waited, false);
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    private int tell(long found, Duration waited, boolean isEnough) {
        if (wantsJson()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("done", isEnough);
            fields.put("up", found);
            fields.put("wanted", up);
            fields.put("waitedSeconds", waited.toMillis() / 1000.0);
            printJson(fields);
        } else if (isEnough) {
            terminal().out().println(found + " members are up");
        } else {
            terminal()
                    .err()
                    .println("muster: " + found + " of " + up + " members are up after "
                            + DurationConverter.text(timeout) + "; 'muster explain' says what the others wait for");
        }
        return isEnough ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }
}

package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/**
 * The place of {@code bench} in the list of commands.
 *
 * <p>Benchmarks have a jar of their own, because the libraries that Muster is compared with have no business in this
 * one. The launcher starts it; only who starts this jar by hand ever gets here.
 */
@Command(
        name = "bench",
        description = "Measures Muster, side by side with others in one run.",
        footerHeading = "%nExample:%n",
        footer = {"  muster bench actors --against pekko", "", "Its options: ./muster bench --help"})
public final class BenchCommand implements Callable<Integer> {

    @Unmatched
    @SuppressWarnings("UnusedVariable") // Takes whatever follows, so that the answer is the same for all of it.
    private List<String> arguments;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    @SuppressWarnings("UnusedVariable") // Its being there is all that picocli needs.
    private boolean help;

    private final Terminal terminal;

    public BenchCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        terminal.err()
                .println("muster: the benchmarks are not in this jar; start them by './muster bench' in Muster's"
                        + " sources, or run benchmarks/target/muster-bench.jar, which that builds");
        return ExitCode.WRONG_USAGE;
    }
}

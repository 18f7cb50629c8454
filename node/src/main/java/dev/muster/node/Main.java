package dev.muster.node;

import dev.muster.node.command.BenchCommand;
import dev.muster.node.command.SimulateCommand;
import dev.muster.node.command.SimulationRunner;
import dev.muster.node.command.WorldSimulation;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of Muster: finds the command, and turns what comes back into an exit code. */
@Command(
        name = "muster",
        description = "Clustering for the JVM, and a simulator that tries to break it.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster simulate --seeds 1..100 --faults all",
            "  muster simulate --nodes 1000 --scenario mass-join",
            "  muster simulate --help",
            "",
            "Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 could not reach a node."
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(Terminal.ofThisProcess(), new WorldSimulation(), args));
    }

    /** Runs one command to its end and returns the exit code of the process. */
    static int run(Terminal terminal, SimulationRunner simulation, String... args) {
        CommandLine commandLine = new CommandLine(new Main())
                .addSubcommand(SimulateCommand.commandLine(simulation, terminal))
                .addSubcommand(new BenchCommand(terminal))
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.hasColours() ? Ansi.ON : Ansi.OFF))
                .setUsageHelpAutoWidth(false)
                .setParameterExceptionHandler((problem, arguments) -> explainUsage(terminal, problem))
                .setExecutionExceptionHandler((problem, command, result) -> reportBug(terminal, problem));
        int exitCode = commandLine.execute(args);
        terminal.flush();
        return exitCode;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no command given; choose one of the commands below");
    }

    private static int explainUsage(Terminal terminal, ParameterException problem) {
        CommandLine command = problem.getCommandLine();
        terminal.err().println("muster: " + problem.getMessage());
        if (problem instanceof UnmatchedArgumentException unmatched) {
            UnmatchedArgumentException.printSuggestions(unmatched, terminal.err());
        }
        terminal.err().println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCode.WRONG_USAGE;
    }

    private static int reportBug(Terminal terminal, Exception problem) {
        terminal.err().println("muster: this is a bug in Muster, please report it with these lines:");
        problem.printStackTrace(terminal.err());
        return ExitCode.BUG;
    }

    /** The version that the build wrote into the jar. */
    static final class Version implements IVersionProvider {

        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {
                "muster " + (version == null ? "(not started from its jar)" : version),
                "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
            };
        }
    }
}

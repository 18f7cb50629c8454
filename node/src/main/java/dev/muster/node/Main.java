package dev.muster.node;

import dev.muster.node.client.NotReachableException;
import dev.muster.node.command.BenchCommand;
import dev.muster.node.command.DemoCommand;
import dev.muster.node.command.DownCommand;
import dev.muster.node.command.ExplainCommand;
import dev.muster.node.command.HandoffsCommand;
import dev.muster.node.command.JoinCommand;
import dev.muster.node.command.LeaveCommand;
import dev.muster.node.command.MembersCommand;
import dev.muster.node.command.MigrateCommand;
import dev.muster.node.command.NodeCommand;
import dev.muster.node.command.PartitionsCommand;
import dev.muster.node.command.RebalanceCommand;
import dev.muster.node.command.SimulateCommand;
import dev.muster.node.command.SimulationRunner;
import dev.muster.node.command.StatusCommand;
import dev.muster.node.command.TrainCommand;
import dev.muster.node.command.WaitCommand;
import dev.muster.node.command.WatchCommand;
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
            "  muster demo",
            "  muster members",
            "  muster simulate --seeds 1..100 --faults all",
            "  muster simulate --nodes 1000 --scenario mass-join",
            "  muster wait --help",
            "",
            "Exit codes: 0 done, 1 the answer is no, 2 wrong usage, 3 could not reach a node."
        })
public final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    private Main() {}

    public static void main(String[] args) {
        JavaSerialization.refuse();
        System.exit(run(Terminal.ofThisProcess(), new WorldSimulation(), new RuntimeNodeLauncher(), Main.class, args));
    }

    /**
     * Runs one command to its end and returns the exit code of the process.
     *
     * @param main the class that this process, and those that it starts for nodes, are started with
     */
    static int run(
            Terminal terminal, SimulationRunner simulation, NodeLauncher launcher, Class<?> main, String... args) {
        CommandLine commandLine = new CommandLine(new Main())
                .addSubcommand(new DemoCommand(launcher, main, terminal))
                .addSubcommand(new NodeCommand(launcher, terminal))
                .addSubcommand(new MembersCommand(terminal))
                .addSubcommand(new StatusCommand(terminal))
                .addSubcommand(new PartitionsCommand(terminal))
                .addSubcommand(new HandoffsCommand(terminal))
                .addSubcommand(new WatchCommand(terminal))
                .addSubcommand(new WaitCommand(terminal))
                .addSubcommand(new JoinCommand(terminal))
                .addSubcommand(new LeaveCommand(terminal))
                .addSubcommand(new DownCommand(terminal))
                .addSubcommand(new RebalanceCommand(terminal))
                .addSubcommand(new MigrateCommand(terminal))
                .addSubcommand(new ExplainCommand(terminal))
                .addSubcommand(new TrainCommand(launcher, terminal))
                .addSubcommand(SimulateCommand.commandLine(simulation, terminal))
                .addSubcommand(new BenchCommand(terminal))
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.hasColours() ? Ansi.ON : Ansi.OFF))
                .setUsageHelpAutoWidth(false)
                .setParameterExceptionHandler((problem, arguments) -> explainUsage(terminal, problem))
                .setExecutionExceptionHandler((problem, command, result) -> report(terminal, problem));
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

    private static int report(Terminal terminal, Exception problem) {
        if (problem instanceof NotReachableException) {
            terminal.err().println("muster: " + problem.getMessage());
            return ExitCode.COULD_NOT_REACH_A_NODE;
        }
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

package dev.muster.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code ./muster bench}. A thin shell: reads options, has both sides measured, prints the report. */
@Command(
        name = "muster bench",
        description = "Measures Muster, alone or side by side with others in one run.",
        sortOptions = false,
        usageHelpWidth = 110,
        // An unexpected exception is never mixed up with an answer; the number is EX_SOFTWARE of sysexits.h.
        exitCodeOnExecutionException = BenchCommand.BUG,
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster bench actors --against pekko                    both sides, five rounds: a quarter of an hour",
            "  muster bench actors --against pekko --only tell,ask    some of it",
            "  muster bench remote --against pekko                    messages between two nodes: five minutes",
            "  muster bench formation --against pekko,scalecube       clusters of 10 to 300 nodes in one process",
            "  muster bench steady --against pekko                    50 nodes that have nothing to do",
            "  muster bench handoff --against pekko                   hosts of partitions leave and join: ten minutes",
            "  muster bench handoff --seconds 20 --only singleton     some of it",
            "  muster bench failover --against pekko                  a host is killed: a quarter of an hour",
            "  muster bench actors --quick                            does it run? The figures mean nothing",
            "  muster bench actors --against pekko --json             one object for scripts",
            "",
            "Every figure comes from a process of its own, with the same options for both sides, by turns.",
            "Figures of a machine that is busy with other things are noise.",
            "Exit code 1: Muster lost a message, changed their order or delivered one twice."
        })
final class BenchCommand implements Callable<Integer> {

    static final int BUG = 70;
    private static final int FAULT = 1;

    /** Without the size, the first collection for want of room for classes, a full one, falls into what is measured. */
    private static final List<String> GARBAGE = List.of("-XX:+UseParallelGC", "-XX:MetaspaceSize=128m");

    private static final List<String> FULL_HEAP = List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch");
    private static final List<String> QUICK_HEAP = List.of("-Xms256m", "-Xmx256m");

    @Parameters(
            paramLabel = "NAME",
            arity = "1",
            description = "what to measure: actors, remote, formation, steady, handoff or failover")
    private String name;

    @Option(
            names = "--against",
            paramLabel = "LIST",
            split = ",",
            description = "who else is measured: pekko, for formation also scalecube (default: nobody)")
    private List<String> peers = new ArrayList<>();

    @Option(
            names = "--only",
            paramLabel = "LIST",
            split = ",",
            description = {
                "some only. actors: tell,ping-pong,ask,spawn,heap,allocation",
                "remote: one-way,round-trip; formation: 10,25,50,100,300; steady: rest",
                "handoff: ordered,singleton; failover: stateless,singleton"
            })
    private List<String> only;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "how often each side is measured (default: 5, for handoff 1)")
    private Integer rounds;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "120",
            description = "handoff: for how long nodes leave and join (default: 120)")
    private int seconds;

    @Option(
            names = "--quick",
            description = "small sizes, one process for each side: shows that it works, measures nothing")
    private boolean quick;

    @Option(
            names = "--java-option",
            paramLabel = "OPTION",
            description = "one more option for the JVMs of all sides; can be repeated")
    private List<String> javaOptions = new ArrayList<>();

    @Option(names = "--json", description = "print one JSON object on standard output")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    @SuppressWarnings("UnusedVariable") // Its being there is all that picocli needs.
    private boolean help;

    @Spec
    private CommandSpec spec;

    private BenchCommand() {}

    public static void main(String[] args) {
        System.exit(run(utf8(System.out), utf8(System.err), args));
    }

    /** Runs the command to its end and returns the exit code of the process. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        int exitCode = new CommandLine(new BenchCommand())
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setParameterExceptionHandler((problem, arguments) -> explainUsage(err, problem))
                .setExecutionExceptionHandler((problem, command, result) -> report(err, problem))
                .execute(args);
        out.flush();
        err.flush();
        return exitCode;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Comparison comparison = comparison();
        Surroundings surroundings = new Surroundings();
        var results = comparison.run(spec.commandLine().getErr());
        Report report = new Report(comparison.suite().id(), surroundings.fields(comparison), results);
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(report.json());
        } else {
            report.print(out);
        }
        List<String> faults = comparison.faults(results);
        faults.forEach(fault -> spec.commandLine().getErr().println("muster: " + fault));
        return faults.isEmpty() ? CommandLine.ExitCode.OK : FAULT;
    }

    private Comparison comparison() {
        Suite suite = Suite.named(name).orElseThrow(() -> wrong("'" + name + "' is no benchmark; choose " + suites()));
        int times = rounds == null ? suite.rounds() : rounds;
        if (times < 1) {
            throw wrong("--rounds '" + times + "' is too small; give at least 1");
        }
        if (seconds < 1) {
            throw wrong("--seconds '" + seconds + "' is too small; give at least 1");
        }
        List<String> options = new ArrayList<>(GARBAGE);
        options.addAll(quick ? QUICK_HEAP : FULL_HEAP);
        options.addAll(javaOptions);
        return new Comparison(
                suite, chosen(suite), sides(suite), times, quick, Duration.ofSeconds(seconds), List.copyOf(options));
    }

    private List<Side> sides(Suite suite) {
        for (String peer : peers) {
            if (suite.peers().stream().noneMatch(side -> side.id().equals(peer))) {
                throw wrong("--against '" + peer + "' is nobody to compare " + suite.id() + " with; choose "
                        + suite.peers().stream().map(Side::id).collect(Collectors.joining(",")));
            }
        }
        List<Side> sides = new ArrayList<>(List.of(Side.MUSTER));
        suite.peers().stream().filter(side -> peers.contains(side.id())).forEach(sides::add);
        return List.copyOf(sides);
    }

    private List<Benchmark> chosen(Suite suite) {
        if (only == null) {
            return suite.benchmarks();
        }
        for (String id : only) {
            if (suite.benchmark(id).isEmpty()) {
                throw wrong("--only '" + id + "' is no benchmark of " + suite.id() + "; choose from "
                        + suite.benchmarks().stream().map(Benchmark::id).collect(Collectors.joining(",")));
            }
        }
        return suite.benchmarks().stream().filter(it -> only.contains(it.id())).toList();
    }

    private static String suites() {
        return Arrays.stream(Suite.values()).map(Suite::id).collect(Collectors.joining(" or "));
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    private static int explainUsage(PrintWriter err, ParameterException problem) {
        err.println("muster: " + problem.getMessage());
        err.println("Try 'muster bench --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    private static int report(PrintWriter err, Exception problem) {
        if (problem instanceof ChildFailedException) {
            err.println("muster: " + problem.getMessage());
        } else {
            err.println("muster: this is a bug in Muster, please report it with these lines:");
            problem.printStackTrace(err);
        }
        return BUG;
    }

    private static PrintWriter utf8(java.io.OutputStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }
}

package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.Terminal;
import dev.muster.simulator.SeedRange;
import dev.muster.simulator.plan.Excerpt;
import dev.muster.simulator.plan.WireMode;
import dev.muster.simulator.plan.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the simulator for some seeds, and says what it found. A thin shell: reads options, prints the report. */
@Command(
        name = "simulate",
        description = "Runs whole clusters in virtual time, injects faults, and checks what must always hold.",
        sortOptions = false,
        usageHelpWidth = 110,
        footer = {
            "  muster simulate                                     a hundred seeds with every kind of fault",
            "  muster simulate --seeds 1..1500 --faults all        what every release must survive",
            "  muster simulate --seed 4711 --trace run.txt         one run again, step by step",
            "  muster simulate --seed 4711 --only-faults 3,7       the same with two of its faults",
            "  muster simulate --nodes 1000 --scenario mass-join   how fast a thousand nodes come up",
            "  muster simulate --scenario false-alarms             is anybody accused who is well?",
            "  muster simulate --faults splits,loss --downing keep-majority --for 10m --json",
            "",
            "A violation prints the command that replays it, and the exit code is 1."
        })
public final class SimulateCommand implements Callable<Integer> {

    private static final SeedRange DEFAULT_SEEDS = new SeedRange(1, 100);
    private static final SeedRange DEFAULT_SCENARIO_SEED = new SeedRange(1, 1);
    private static final int MOST_NODES = 100_000;

    @Option(names = "--nodes", paramLabel = "N", description = "nodes in the cluster (default: drawn by the seed)")
    private Integer nodes;

    @Option(
            names = "--seeds",
            paramLabel = "A..B",
            converter = SeedRangeConverter.class,
            description = "seeds to run (default: 1..100; with --scenario: 1)")
    private SeedRange seeds;

    @Option(names = "--seed", paramLabel = "S", description = "one seed to run; also prints its trace hash")
    private Long seed;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "simulated time per seed, like 10m, 90s or 500ms (default: drawn by the seed)")
    private Duration length;

    @Option(
            names = "--faults",
            paramLabel = "KINDS",
            description = "all, none, or a list with commas (default: all; with --scenario: none)")
    private String faults;

    @Option(names = "--downing", paramLabel = "STRATEGY", description = "downing strategy (default: drawn by the seed)")
    private String downing;

    @Option(
            names = "--wire",
            paramLabel = "MODE",
            defaultValue = "records",
            description =
                    "records, or bytes: every message goes through the codecs of the real wire (default: records)")
    private String wire;

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            defaultValue = "none",
            description = "what the nodes are used for: none, partitions, or handoff (default: none)")
    private String workload;

    @Option(
            names = "--only-faults",
            paramLabel = "LIST",
            converter = NumbersConverter.class,
            description = "of one seed, only these faults of its schedule, like 3,7,9 (default: all)")
    private NumbersConverter.Numbers onlyFaults;

    @Option(
            names = "--only-nodes",
            paramLabel = "LIST",
            converter = NumbersConverter.class,
            description = "of one seed, only these of its first nodes, like 0,2 (default: all)")
    private NumbersConverter.Numbers onlyNodes;

    @Option(
            names = "--until",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "of one seed, only so much simulated time, with all else as it is (default: to its end)")
    private Duration until;

    @Option(names = "--scenario", paramLabel = "FILE", description = "a scenario file, or the name of a built-in one")
    private String scenario;

    @Option(names = "--trace", paramLabel = "FILE", description = "write every step of one seed into this file")
    private Path trace;

    @Option(names = "--threads", paramLabel = "N", description = "seeds run at once (default: one per processor)")
    private Integer threads;

    @Option(names = "--json", description = "print one JSON object on standard output")
    private boolean json;

    @Option(names = "--quiet", description = "no progress, and a summary only if something is violated")
    private boolean quiet;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    @SuppressWarnings("UnusedVariable") // Its being there is all that picocli needs.
    private boolean help;

    @Spec
    private CommandSpec spec;

    private final SimulationRunner simulation;
    private final Terminal terminal;

    SimulateCommand(SimulationRunner simulation, Terminal terminal) {
        this.simulation = simulation;
        this.terminal = terminal;
    }

    /** The command with the simulator's own words in its help. */
    public static CommandLine commandLine(SimulationRunner simulation, Terminal terminal) {
        CommandLine commandLine = new CommandLine(new SimulateCommand(simulation, terminal));
        commandLine
                .getCommandSpec()
                .usageMessage()
                .optionListHeading("%nOptions:%n")
                .footerHeading(String.join(
                        "%n",
                        "",
                        "Faults:    " + String.join(", ", simulation.faultKinds()),
                        "Downing:   " + String.join(", ", simulation.downingStrategies()),
                        "Scenarios: " + String.join(", ", simulation.scenarios()),
                        "",
                        "Examples:",
                        ""));
        return commandLine;
    }

    @Override
    public Integer call() throws InterruptedException {
        SimulationRequest request = request();
        SimulationReport report = simulate(request, seedRange(request));
        print(report, request);
        tellTheShortestStory(report, request);
        return report.violations().isEmpty() ? ExitCode.DONE : ExitCode.ANSWER_IS_NO;
    }

    private SimulationReport simulate(SimulationRequest request, SeedRange range) throws InterruptedException {
        int workers = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        try (TraceFile traceFile = openTrace(range);
                Progress progress = new Progress(terminal, range.count(), quiet)) {
            return new SeedSweep(simulation, request, progress, traceFile).run(range, workers);
        } catch (IllegalArgumentException refused) {
            throw wrong(refused.getMessage());
        }
    }

    private void print(SimulationReport report, SimulationRequest request) {
        String replayOptions = replayOptions(request);
        if (json) {
            terminal.out().println(report.json(replayOptions));
        } else if (!quiet || !report.violations().isEmpty()) {
            report.print(terminal, replayOptions);
        }
    }

    /** A violation in the middle of fifty faults is hard to read; mostly a few of them are enough. */
    private void tellTheShortestStory(SimulationReport report, SimulationRequest request) {
        if (json || request.scenario().isPresent() || report.violations().isEmpty()) {
            return;
        }
        long first = report.violations().get(0).seed();
        terminal.err()
                .println("muster: looking for a shorter schedule that breaks seed " + first + " the same way ...");
        terminal.err().flush();
        String story = simulation.shortestStory(request, first);
        if (!story.isEmpty()) {
            terminal.out().println();
            terminal.out().println(story);
        }
    }

    private SimulationRequest request() {
        if (nodes != null && (nodes < 1 || nodes > MOST_NODES)) {
            throw wrong("--nodes", nodes, "is out of range; give a number from 1 to " + MOST_NODES);
        }
        if (threads != null && threads < 1) {
            throw wrong("--threads", threads, "is too small; give at least 1, or leave it out");
        }
        return new SimulationRequest(
                nodes == null ? OptionalInt.empty() : OptionalInt.of(nodes),
                Optional.ofNullable(length),
                chosenFaults(),
                chosenDowning(),
                chosenScenario(),
                chosenExcerpt(),
                chosenWire(),
                chosenWorkload());
    }

    private Workload chosenWorkload() {
        Workload chosen = Workload.named(workload)
                .orElseThrow(() -> wrong("--workload", workload, "is no workload; choose none, partitions or handoff"));
        if (chosen != Workload.NONE && scenario != null) {
            throw wrong("--workload", workload, "is for free play; leave out --scenario");
        }
        return chosen;
    }

    private WireMode chosenWire() {
        WireMode mode = WireMode.named(wire)
                .orElseThrow(() -> wrong(
                        "--wire",
                        wire,
                        "is no way to travel; choose one of " + String.join(", ", WireMode.displayNames())));
        if (mode != WireMode.RECORDS && scenario != null) {
            throw wrong("--wire", wire, "is for free play; leave out --scenario");
        }
        return mode;
    }

    private Excerpt chosenExcerpt() {
        Excerpt excerpt = new Excerpt(
                Optional.ofNullable(onlyFaults).map(NumbersConverter.Numbers::list),
                Optional.ofNullable(onlyNodes).map(NumbersConverter.Numbers::list),
                Optional.ofNullable(until));
        if (!excerpt.equals(Excerpt.WHOLE) && (seed == null || scenario != null)) {
            throw wrong("--only-faults, --only-nodes and --until take parts of one seed; add --seed S"
                    + (scenario == null ? "" : " and leave out --scenario"));
        }
        return excerpt;
    }

    private List<String> chosenFaults() {
        String choice = faults == null ? (scenario == null ? "all" : "none") : faults.toLowerCase(Locale.ROOT);
        return switch (choice) {
            case "all" -> simulation.faultKinds();
            case "none" -> List.of();
            default -> listedFaults(choice);
        };
    }

    private List<String> listedFaults(String list) {
        List<String> named = new ArrayList<>();
        for (String kind : list.split(",", -1)) {
            if (!simulation.faultKinds().contains(kind.strip())) {
                throw wrong(
                        "--faults",
                        kind.strip(),
                        "is no kind of fault; choose from " + String.join(",", simulation.faultKinds())
                                + ", or all, or none");
            }
            named.add(kind.strip());
        }
        // In the simulator's order, so that the order on the command line does not matter.
        return simulation.faultKinds().stream().filter(named::contains).toList();
    }

    private Optional<String> chosenDowning() {
        if (downing != null && !simulation.downingStrategies().contains(downing)) {
            throw wrong(
                    "--downing",
                    downing,
                    "is no strategy; choose one of " + String.join(", ", simulation.downingStrategies()));
        }
        return Optional.ofNullable(downing);
    }

    private Optional<SimulationRequest.Scenario> chosenScenario() {
        if (scenario == null) {
            return Optional.empty();
        }
        if (simulation.scenarios().contains(scenario)) {
            return Optional.of(new SimulationRequest.Scenario(scenario, Optional.empty()));
        }
        try {
            String script = Files.readString(Path.of(scenario), StandardCharsets.UTF_8);
            return Optional.of(new SimulationRequest.Scenario(scenario, Optional.of(script)));
        } catch (IOException | RuntimeException unreadable) {
            throw wrong(
                    "--scenario",
                    scenario,
                    "is neither a file that can be read nor built in; the built-in ones are "
                            + String.join(", ", simulation.scenarios()));
        }
    }

    private SeedRange seedRange(SimulationRequest request) {
        if (seed != null && seeds != null) {
            throw wrong("--seed", seed, "contradicts --seeds " + seeds + "; give only one of them");
        }
        if (seed != null && seed < 0) {
            throw wrong("--seed", seed, "is negative; seeds are numbers from 0 on");
        }
        if (seed != null) {
            return new SeedRange(seed, seed);
        }
        if (seeds != null) {
            return seeds;
        }
        return request.scenario().isPresent() ? DEFAULT_SCENARIO_SEED : DEFAULT_SEEDS;
    }

    private TraceFile openTrace(SeedRange range) {
        if (trace == null) {
            return TraceFile.none();
        }
        if (!range.isOne()) {
            throw wrong("--trace", trace, "can hold one run only; add --seed S to say which");
        }
        try {
            return TraceFile.into(new PrintWriter(trace.toFile(), StandardCharsets.UTF_8));
        } catch (IOException refused) {
            throw wrong("--trace", trace, "cannot be written; choose a file in an existing, writable folder");
        }
    }

    /** Everything but the seed that is needed to run a seed of this request again. */
    private String replayOptions(SimulationRequest request) {
        StringBuilder options = new StringBuilder();
        request.nodes().ifPresent(count -> options.append(" --nodes ").append(count));
        request.length().ifPresent(time -> options.append(" --for ").append(DurationConverter.text(time)));
        if (faults != null) {
            boolean everyKind = request.faults().equals(simulation.faultKinds());
            String list = String.join(",", request.faults());
            options.append(" --faults ").append(everyKind ? "all" : list.isEmpty() ? "none" : list);
        }
        request.downing().ifPresent(strategy -> options.append(" --downing ").append(strategy));
        if (request.wire() != WireMode.RECORDS) {
            options.append(" --wire ").append(request.wire().displayName());
        }
        if (request.workload() != Workload.NONE) {
            options.append(" --workload ").append(request.workload().displayName());
        }
        request.scenario().ifPresent(played -> options.append(" --scenario ").append(quoted(played.name())));
        return options.append(request.excerpt().commandLine()).toString();
    }

    private static String quoted(String word) {
        return word.matches("[A-Za-z0-9_./:-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private ParameterException wrong(String option, Object value, String remedy) {
        return wrong(option + " '" + value + "' " + remedy);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}

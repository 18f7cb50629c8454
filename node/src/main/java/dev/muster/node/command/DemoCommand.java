package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.NodeLauncher;
import dev.muster.node.ServedNode;
import dev.muster.node.Terminal;
import dev.muster.node.demo.ChildProcesses;
import dev.muster.node.demo.DemoHints;
import dev.muster.node.demo.DemoNodes;
import dev.muster.node.demo.DemoPlan;
import dev.muster.node.demo.DemoShow;
import dev.muster.node.demo.InProcessNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Starts a cluster on this machine, shows it, and ends it. */
@Command(
        name = "demo",
        description = "Starts a cluster on this machine and shows what happens in it. Ctrl-C ends it.",
        sortOptions = false,
        usageHelpWidth = 110,
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster demo                          five processes, at 127.0.0.1:2551 and following",
            "  muster demo --nodes 3 --in-process   three nodes in this process",
            "  muster demo --port 3551 --http 9558  elsewhere",
            "",
            "Node i has its HTTP at the port of --http plus i. --json prints one object when all are up."
        })
public final class DemoCommand implements Callable<Integer> {

    private static final int MOST_NODES = 100;
    private static final long POLL_MILLIS_WHILE_FORMING = 100;
    private static final long POLL_MILLIS = 400;
    private static final Duration FORM_WITHIN = Duration.ofSeconds(60);

    @Option(names = "--nodes", paramLabel = "N", defaultValue = "5", description = "how many nodes (default: 5)")
    private int count;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "2551",
            description = "of the first node (default: 2551)")
    private int port;

    @Option(
            names = "--http",
            paramLabel = "PORT",
            defaultValue = "8558",
            description = "of HTTP of the first node (default: 8558)")
    private int http;

    @Option(names = "--in-process", description = "all nodes in this process, instead of a process for each")
    private boolean inProcess;

    @Option(names = "--no-load", description = "without partitions, and without clients that send to them")
    private boolean noLoad;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "end by itself after this time, like 1m (default: with Ctrl-C)")
    private Duration length;

    @Option(names = "--json", description = "print one JSON object on standard output when all nodes are up")
    private boolean json;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    @SuppressWarnings("UnusedVariable") // Its being there is all that picocli needs.
    private boolean help;

    @Spec
    private CommandSpec spec;

    private final NodeLauncher launcher;
    private final Class<?> main;
    private final Terminal terminal;

    /** @param main the class that a process for a node is started with */
    public DemoCommand(NodeLauncher launcher, Class<?> main, Terminal terminal) {
        this.launcher = launcher;
        this.main = main;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        DemoPlan plan = plan();
        var taken = plan.firstTaken();
        if (taken.isPresent()) {
            terminal.err()
                    .println("muster: "
                            + ServedNode.taken(
                                    DemoPlan.HOST,
                                    taken.get().port(),
                                    taken.get().option()));
            return ExitCode.ANSWER_IS_NO;
        }
        DemoNodes nodes = inProcess ? new InProcessNodes(plan, launcher) : new ChildProcesses(plan, main);
        DemoShow show = new DemoShow(plan, nodes, terminal, !json);
        AtomicBoolean isOver = new AtomicBoolean();
        Thread end = new Thread(() -> end(nodes, show, isOver), "end-demo");
        Runtime.getRuntime().addShutdownHook(end);
        try {
            return run(plan, nodes, show);
        } catch (ServedNode.NotStartedException problem) {
            terminal.err().println("muster: " + problem.getMessage());
            return ExitCode.ANSWER_IS_NO;
        } finally {
            end(nodes, show, isOver);
        }
    }

    private DemoPlan plan() {
        if (count < 1 || count > MOST_NODES) {
            throw wrong("--nodes '" + count + "' is out of range; give a number from 1 to " + MOST_NODES);
        }
        requirePorts("--port", port);
        requirePorts("--http", http);
        if (Math.abs(port - http) < count) {
            throw wrong(
                    "--port '" + port + "' and --http '" + http + "' overlap; put them at least " + count + " apart");
        }
        return new DemoPlan(count, port, http, !noLoad);
    }

    private void requirePorts(String option, int first) {
        if (first < 1 || first + count - 1 > 65_535) {
            throw wrong(option + " '" + first + "' leaves no room for " + count + " ports up to 65535");
        }
    }

    private int run(DemoPlan plan, DemoNodes nodes, DemoShow show) throws InterruptedException {
        long startNanos = System.nanoTime();
        show.say("starting " + plan.nodes() + (inProcess ? " nodes in this process" : " nodes, each its own process")
                + ", at " + plan.name(0) + " and following"
                + (nodes.logPlace().isEmpty() ? "" : "; their logs are in " + nodes.logPlace()));
        nodes.start();
        if (!form(plan, show, startNanos)) {
            return ExitCode.ANSWER_IS_NO;
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        String formed = String.format(
                Locale.ROOT,
                "formed          %d nodes are up after %.1f s; open %s",
                plan.nodes(),
                seconds,
                plan.url(0));
        show.tell(formed);
        DemoHints hints = new DemoHints(plan, nodes, terminal.hasColours() ? Ansi.ON : Ansi.OFF);
        if (json) {
            terminal.out().println(JsonMapper.builder().build().writeValueAsString(fields(plan, nodes, seconds)));
            terminal.out().flush();
        } else if (!terminal.outIsWatched()) {
            hints.lines(show.gone()).forEach(show::say);
        }
        return watch(hints, show, startNanos);
    }

    private boolean form(DemoPlan plan, DemoShow show, long startNanos) throws InterruptedException {
        while (show.up() < plan.nodes()) {
            String age = String.format(Locale.ROOT, "%.1f s", (System.nanoTime() - startNanos) / 1e9);
            show.refresh(List.of("", "forming: " + show.up() + " of " + plan.nodes() + " are up after " + age));
            if (!show.isAnybodyAlive()) {
                terminal.err().println("muster: no node lives any more; the logs say why");
                return false;
            }
            if (System.nanoTime() - startNanos > FORM_WITHIN.toNanos()) {
                terminal.err()
                        .println("muster: only " + show.up() + " of " + plan.nodes() + " nodes are up after "
                                + FORM_WITHIN.toSeconds() + " s; the logs say why");
                return false;
            }
            Thread.sleep(POLL_MILLIS_WHILE_FORMING);
        }
        return true;
    }

    private int watch(DemoHints hints, DemoShow show, long startNanos) throws InterruptedException {
        List<Integer> told = new ArrayList<>();
        while (length == null || System.nanoTime() - startNanos < length.toNanos()) {
            show.refresh(hints.lines(show.gone()));
            for (int index : show.gone()) {
                if (!told.contains(index)) {
                    told.add(index);
                    show.say("          to start it again: " + hints.restartCommand(index));
                }
            }
            if (!show.isAnybodyAlive()) {
                show.tell("over            no node is left");
                return ExitCode.DONE;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return ExitCode.DONE;
    }

    private static Map<String, Object> fields(DemoPlan plan, DemoNodes nodes, double seconds) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (int i = 0; i < plan.nodes(); i++) {
            Map<String, Object> node = new LinkedHashMap<>();
            node.put("node", plan.name(i));
            node.put("http", plan.url(i));
            nodes.pid(i).ifPresent(pid -> node.put("pid", pid));
            list.add(node);
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("formedAfterSeconds", Math.rint(seconds * 1000) / 1000);
        fields.put("open", plan.url(0));
        fields.put("logs", nodes.logPlace());
        fields.put("nodes", list);
        return fields;
    }

    /** At the end of the command, or of the process, whichever comes first; the other one waits for it. */
    private void end(DemoNodes nodes, DemoShow show, AtomicBoolean isOver) {
        synchronized (isOver) {
            if (!isOver.getAndSet(true)) {
                show.tellSums();
                terminal.err().println("muster: the nodes are leaving ...");
                terminal.err().flush();
                nodes.close();
                terminal.err().println("muster: all nodes have ended");
                terminal.flush();
            }
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}

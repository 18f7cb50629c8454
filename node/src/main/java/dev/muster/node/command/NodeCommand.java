package dev.muster.node.command;

import dev.muster.node.ExitCode;
import dev.muster.node.NodeConfig;
import dev.muster.node.NodeLauncher;
import dev.muster.node.ServedNode;
import dev.muster.node.Terminal;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** Runs one node in the foreground, until it has left or somebody ends the process. */
@Command(
        name = "node",
        description = "Runs one node in the foreground. Ctrl-C lets it leave in good order.",
        sortOptions = false,
        usageHelpWidth = 110,
        footerHeading = "%nExamples:%n",
        footer = {
            "  muster node                                            forms a cluster of its own",
            "  muster node --port 2552 --seed 127.0.0.1:2551          joins it",
            "  muster node --config node.conf --set muster.cluster.min-nr-of-members=3",
            "  muster node --host 10.0.0.7 --seed 10.0.0.7:2551 --seed 10.0.0.8:2551 --role backend",
            "",
            "Off loopback the wire needs TLS and HTTP a token, see docs/http.md.",
            "The exit code is 0 if it left, 1 if it could not start or was removed."
        })
public final class NodeCommand implements Callable<Integer> {

    @Option(names = "--config", paramLabel = "FILE", description = "settings, in HOCON")
    private Path config;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "one setting; wins over all others; may be repeated")
    private List<String> settings = List.of();

    @Option(names = "--host", paramLabel = "HOST", description = "address of the wire and of HTTP (default: 127.0.0.1)")
    private String host;

    @Option(names = "--port", paramLabel = "PORT", description = "port of the wire; 0 takes a free one (default: 2551)")
    private Integer port;

    @Option(
            names = "--http",
            paramLabel = "PORT",
            description = "port of HTTP; 0 takes a free one (default: 8558, or the next that is free)")
    private Integer http;

    @Option(
            names = "--seed",
            paramLabel = "HOST:PORT",
            description = "a node to ask for the way in; may be repeated (default: forms a cluster of its own)")
    private List<String> seeds = List.of();

    @Option(names = "--role", paramLabel = "ROLE", description = "what this node is for; may be repeated")
    private List<String> roles = List.of();

    @Option(names = "--json", description = "print one JSON object on standard output when the node is up")
    private boolean json;

    /** For processes started by another one: when their standard input ends, so has their parent. */
    @Option(names = "--stop-with-parent", hidden = true)
    private boolean stopWithParent;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "show this help")
    @SuppressWarnings("UnusedVariable") // Its being there is all that picocli needs.
    private boolean help;

    @Spec
    private CommandSpec spec;

    private final NodeLauncher launcher;
    private final Terminal terminal;

    public NodeCommand(NodeLauncher launcher, Terminal terminal) {
        this.launcher = launcher;
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws InterruptedException {
        requirePort("--port", port);
        requirePort("--http", http);
        ServedNode node;
        try {
            node = ServedNode.start(
                    launcher,
                    new NodeConfig(
                            Optional.ofNullable(config),
                            settings,
                            Optional.ofNullable(host),
                            Optional.ofNullable(port),
                            Optional.ofNullable(http),
                            seeds,
                            roles));
        } catch (IllegalArgumentException wrongOption) {
            throw wrong(wrongOption.getMessage());
        } catch (ServedNode.NotStartedException problem) {
            terminal.err().println("muster: " + problem.getMessage());
            return ExitCode.ANSWER_IS_NO;
        }
        return runToItsEnd(node);
    }

    private int runToItsEnd(ServedNode node) throws InterruptedException {
        Thread leave = new Thread(node::leaveAndStop, "leave");
        Runtime.getRuntime().addShutdownHook(leave);
        if (stopWithParent) {
            exitWhenInputEnds();
        }
        node.cluster().registerOnMemberUp(() -> tellItIsUp(node));
        try {
            node.whenStopped().toCompletableFuture().get();
            terminal.err().println("muster: " + node.cluster().selfAddress() + " has left");
            return ExitCode.DONE;
        } catch (ExecutionException removed) {
            terminal.err()
                    .println("muster: " + node.cluster().selfAddress() + " stopped: "
                            + removed.getCause().getMessage());
            return ExitCode.ANSWER_IS_NO;
        } finally {
            endWith(leave, node);
        }
    }

    /** Not while the process is ending anyway: then the hook does it. */
    private void endWith(Thread leave, ServedNode node) {
        try {
            Runtime.getRuntime().removeShutdownHook(leave);
            node.leaveAndStop();
        } catch (IllegalStateException isEnding) {
            terminal.err().flush();
        }
    }

    private void tellItIsUp(ServedNode node) {
        String address = node.cluster().selfAddress().toString();
        Optional<String> url = node.http().map(NodeCommand::url);
        if (json) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("node", address);
            fields.put("http", url.orElse(null));
            fields.put("pid", ProcessHandle.current().pid());
            terminal.out().println(JsonMapper.builder().build().writeValueAsString(fields));
        } else {
            terminal.out()
                    .println(address + " is up"
                            + url.map(it -> "; HTTP at " + it).orElse(""));
        }
        terminal.out().flush();
    }

    /** An address as it stands in a browser. */
    static String url(InetSocketAddress address) {
        String number = address.getAddress().getHostAddress();
        return "http://" + (number.contains(":") ? "[" + number + "]" : number) + ":" + address.getPort() + "/";
    }

    private static void exitWhenInputEnds() {
        Thread reader = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // Whatever it says; only its end matters.
                        }
                    } catch (IOException broken) {
                        System.err.println("muster: the parent is gone: " + broken.getMessage());
                    }
                    System.exit(ExitCode.DONE);
                },
                "parent-watch");
        reader.setDaemon(true);
        reader.start();
    }

    private void requirePort(String option, Integer value) {
        if (value != null && (value < 0 || value > 65_535)) {
            throw wrong(option + " '" + value + "' is no port; give a number from 0 to 65535");
        }
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}

package dev.muster.node;

import com.typesafe.config.Config;
import dev.muster.cluster.Cluster;
import dev.muster.node.http.HttpSettings;
import dev.muster.node.http.ManagementServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** A node and, if it is enabled, its management over HTTP. They come and go together. */
public final class ServedNode {

    /** How many ports are tried when nobody chose one. */
    private static final int PORTS_TO_TRY = 10;

    private final NodeLauncher.RunningNode node;
    private final Optional<ManagementServer> server;

    private ServedNode(NodeLauncher.RunningNode node, Optional<ManagementServer> server) {
        this.node = node;
        this.server = server;
    }

    /**
     * Starts both.
     *
     * @throws NotStartedException if either could not be started; then neither runs
     */
    public static ServedNode start(NodeLauncher launcher, NodeConfig choice) {
        Config config = choice.resolved();
        HttpSettings http = HttpSettings.of(config);
        NodeLauncher.RunningNode node = startNode(launcher, config);
        if (!http.enabled()) {
            return new ServedNode(node, Optional.empty());
        }
        try {
            return new ServedNode(node, Optional.of(serve(http, choice.choosesHttpPort(), node, config)));
        } catch (IOException | RuntimeException problem) {
            node.leaveAndStop();
            throw problem instanceof BindException
                    ? new NotStartedException(taken(http.hostname(), http.port(), "--http"), problem)
                    : new NotStartedException("management over HTTP did not start: " + problem.getMessage(), problem);
        }
    }

    private static NodeLauncher.RunningNode startNode(NodeLauncher launcher, Config config) {
        try {
            return launcher.start(NodeOptions.of(config));
        } catch (RuntimeException problem) {
            for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
                if (cause instanceof BindException) {
                    String host =
                            text(config, NodeConfig.CANONICAL + ".hostname").orElse("this machine");
                    String port = text(config, NodeConfig.CANONICAL + ".port").orElse("of the wire");
                    throw new NotStartedException(taken(host, port, "--port"), problem);
                }
            }
            throw new NotStartedException("the node did not start: " + problem.getMessage(), problem);
        }
    }

    private static ManagementServer serve(
            HttpSettings http, boolean isChosen, NodeLauncher.RunningNode node, Config config) throws IOException {
        int last = isChosen ? http.port() : Math.min(65_535, http.port() + PORTS_TO_TRY - 1);
        for (int port = http.port(); ; port++) {
            try {
                return ManagementServer.start(http.withPort(port), node.cluster(), config, node::figures);
            } catch (BindException taken) {
                if (port == last) {
                    throw taken;
                }
            }
        }
    }

    private static Optional<String> text(Config config, String key) {
        return config.hasPath(key) ? Optional.of(config.getString(key)).filter(it -> !it.isEmpty()) : Optional.empty();
    }

    /** What to say about a port that somebody else has. */
    public static String taken(String host, Object port, String option) {
        return "port " + port + " at " + host + " is taken by another program; choose another with " + option
                + ", or stop that program";
    }

    public Cluster cluster() {
        return node.cluster();
    }

    /** Where HTTP is served, if it is. */
    public Optional<InetSocketAddress> http() {
        return server.map(ManagementServer::address);
    }

    public CompletionStage<Void> whenStopped() {
        return node.whenStopped();
    }

    /** Leaves, stops, and only then stops answering, so that one can see it leave. */
    public void leaveAndStop() {
        node.leaveAndStop();
        server.ifPresent(ManagementServer::close);
    }

    /** A node that could not be started. The message says why, and what to do. */
    public static final class NotStartedException extends RuntimeException {
        NotStartedException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}

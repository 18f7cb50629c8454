package dev.muster.node.demo;

import dev.muster.cluster.Cluster;
import dev.muster.node.NodeLauncher;
import dev.muster.node.NodeOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Starts nodes that seem to be a cluster: all that listen at the ports from the seed's on. */
public final class ProbingLauncher implements NodeLauncher {

    static final int NODES = 3;

    @Override
    public RunningNode start(NodeOptions options) {
        int port = options.config().getInt("muster.remote.artery.canonical.port");
        String seed =
                options.config().getStringList("muster.cluster.seed-nodes").get(0);
        int firstPort = Integer.parseInt(seed.substring(seed.lastIndexOf(':') + 1));
        return new ProbingNode(new ProbingCluster(options.system(), port, firstPort, NODES));
    }

    private record ProbingNode(ProbingCluster probing, CompletableFuture<Void> stopped) implements RunningNode {

        ProbingNode(ProbingCluster probing) {
            this(probing, new CompletableFuture<>());
        }

        @Override
        public Cluster cluster() {
            return probing;
        }

        @Override
        public void leaveAndStop() {
            probing.close();
            stopped.complete(null);
        }

        @Override
        public CompletionStage<Void> whenStopped() {
            return stopped;
        }
    }
}

package dev.muster.node.demo;

import dev.muster.cluster.Cluster;
import dev.muster.node.NodeLauncher;
import dev.muster.node.NodeOptions;
import java.util.SortedMap;
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
        boolean hasLoad = options.config().getBoolean(DemoLoad.SETTING);
        return new ProbingNode(new ProbingCluster(options.system(), port, firstPort, NODES), hasLoad);
    }

    private record ProbingNode(ProbingCluster probing, boolean hasLoad, CompletableFuture<Void> stopped)
            implements RunningNode {

        ProbingNode(ProbingCluster probing, boolean hasLoad) {
            this(probing, hasLoad, new CompletableFuture<>());
        }

        /** As if its client had sent one message. */
        @Override
        public SortedMap<String, Long> figures() {
            DemoFigures figures = new DemoFigures();
            if (hasLoad) {
                figures.sent();
                figures.counted(true);
            }
            return figures.read();
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

package dev.muster.node;

import dev.muster.cluster.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** Starts nodes that take part in nothing but what a test makes up. */
public final class FakeLauncher implements NodeLauncher {

    private final Function<NodeOptions, Cluster> clusters;
    private final List<NodeOptions> started = new ArrayList<>();
    private final List<FakeNode> nodes = new ArrayList<>();
    private final CountDownLatch first = new CountDownLatch(1);

    public FakeLauncher(Function<NodeOptions, Cluster> clusters) {
        this.clusters = clusters;
    }

    @Override
    public synchronized RunningNode start(NodeOptions options) {
        started.add(options);
        FakeNode node = new FakeNode(clusters.apply(options));
        nodes.add(node);
        first.countDown();
        return node;
    }

    public synchronized List<NodeOptions> started() {
        return List.copyOf(started);
    }

    /** The first node, as soon as it has been started. */
    public FakeNode firstNode() throws InterruptedException {
        first.await();
        synchronized (this) {
            return nodes.get(0);
        }
    }

    /** A node whose end is in the hands of the test. */
    public static final class FakeNode implements RunningNode {

        private final Cluster cluster;
        private final CompletableFuture<Void> stopped = new CompletableFuture<>();

        FakeNode(Cluster cluster) {
            this.cluster = cluster;
        }

        @Override
        public Cluster cluster() {
            return cluster;
        }

        @Override
        public void leaveAndStop() {
            stopped.complete(null);
        }

        public void isRemoved(String reason) {
            stopped.completeExceptionally(new IllegalStateException(reason));
        }

        @Override
        public CompletionStage<Void> whenStopped() {
            return stopped;
        }
    }
}

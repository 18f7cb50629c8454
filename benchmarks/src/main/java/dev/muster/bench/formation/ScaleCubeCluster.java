package dev.muster.bench.formation;

import io.scalecube.cluster.Cluster;
import io.scalecube.cluster.ClusterImpl;
import io.scalecube.transport.netty.tcp.TcpTransportFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Nodes of ScaleCube, with its defaults. */
final class ScaleCubeCluster implements NodesSide {

    private static final int SEEDS = 3;

    private final List<Cluster> clusters = new CopyOnWriteArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private int started;

    /** The seeds are waited for, because their addresses are not known before; all others only begin to join. */
    @Override
    public void add() {
        List<String> seeds =
                clusters.stream().limit(SEEDS).map(Cluster::address).toList();
        ClusterImpl node = new ClusterImpl()
                .membership(membership -> membership.seedMembers(seeds))
                .transportFactory(TcpTransportFactory::new);
        started++;
        if (started <= SEEDS) {
            clusters.add(node.startAwait());
        } else {
            var unused = node.start().subscribe(clusters::add, failure::set);
        }
    }

    @Override
    public void awaitUp(Duration timeout) throws InterruptedException {
        Looking.until(started + " nodes of ScaleCube everywhere", timeout, this::allThere);
    }

    private boolean allThere() {
        if (failure.get() != null) {
            throw new IllegalStateException("a node of ScaleCube did not start", failure.get());
        }
        return clusters.size() == started
                && clusters.stream().allMatch(node -> node.members().size() == started);
    }

    @Override
    public long sentBytes() {
        throw new UnsupportedOperationException("nobody counts what ScaleCube sends");
    }

    @Override
    public void close() {
        clusters.forEach(Cluster::shutdown);
        clusters.forEach(node -> node.onShutdown().block(Duration.ofSeconds(30)));
    }
}

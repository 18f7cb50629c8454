package dev.muster.bench.formation;

import dev.muster.cluster.LocalCluster;
import java.time.Duration;

/** Nodes of Muster, with its defaults. */
final class MusterCluster implements NodesSide {

    private LocalCluster cluster;

    @Override
    public void add() {
        if (cluster == null) {
            cluster = LocalCluster.start("bench", 1);
        } else {
            var unused = cluster.add();
        }
    }

    @Override
    public void awaitUp(Duration timeout) {
        cluster.awaitUp(timeout);
    }

    @Override
    public long sentBytes() {
        return cluster.nodes().stream()
                .mapToLong(node -> node.cluster().counters().getOrDefault("remote.bytes-sent", 0L))
                .sum();
    }

    @Override
    public void close() {
        if (cluster != null) {
            cluster.close();
        }
    }
}

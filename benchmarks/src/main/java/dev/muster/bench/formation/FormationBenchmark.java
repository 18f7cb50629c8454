package dev.muster.bench.formation;

import dev.muster.bench.Benchmark;
import dev.muster.bench.Row;
import dev.muster.bench.Side;
import dev.muster.bench.meter.HeapMeter;
import dev.muster.bench.meter.ProcessMeter;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the suite {@code formation} measures: clusters of growing size in one process. */
public enum FormationBenchmark implements Benchmark {
    NODES_10(10, 3, true),
    NODES_25(25, 4, true),
    NODES_50(50, 5, false),
    NODES_100(100, 6, false),
    NODES_300(300, 7, false);

    private static final int FIRST_TRY = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final int nodes;
    private final int quickNodes;
    private final boolean isCompared;

    FormationBenchmark(int nodes, int quickNodes, boolean isCompared) {
        this.nodes = nodes;
        this.quickNodes = quickNodes;
        this.isCompared = isCompared;
    }

    @Override
    public String id() {
        return String.valueOf(nodes);
    }

    /** Large clusters are Muster's alone: others need more than a machine has, or more than anybody's patience. */
    @Override
    public boolean isFor(Side side) {
        return isCompared || side == Side.MUSTER;
    }

    @Override
    public List<Row> rows() {
        return List.of(
                new Row(row("up"), nodes + " nodes, last start to all up", "s", false, 0.001),
                new Row(row("whole"), nodes + " nodes, first start to all up", "s", false, 0.001),
                new Row(row("heap"), nodes + " nodes, heap of each", "kB", false, 1),
                new Row(row("threads"), nodes + " nodes, threads for each", "threads", false, 0.01),
                new Row(row("descriptors"), nodes + " nodes, descriptors for each", "descriptors", false, 0.1));
    }

    private String row(String what) {
        return what + "-" + nodes;
    }

    @Override
    public Map<String, Double> measure(Side side, boolean quick) throws Exception {
        // Loads the classes. What the JVM compiles it has to compile while the cluster forms, as it would for anybody.
        try (NodesSide first = NodesSide.of(side)) {
            start(first, FIRST_TRY);
            first.awaitUp(PATIENCE);
        }
        long heapBefore = HeapMeter.usedBytes();
        int threadsBefore = ProcessMeter.threads();
        long descriptorsBefore = ProcessMeter.descriptors();
        double size = quick ? quickNodes : nodes;
        try (NodesSide cluster = NodesSide.of(side)) {
            long begun = System.nanoTime();
            start(cluster, (int) size - 1);
            long lastStart = System.nanoTime();
            cluster.add();
            cluster.awaitUp(PATIENCE);
            long up = System.nanoTime();
            double descriptors = ProcessMeter.descriptors() - descriptorsBefore;
            double threads = ProcessMeter.threads() - threadsBefore;
            double heap = HeapMeter.usedBytes() - heapBefore;
            return Map.of(
                    row("up"), (up - lastStart) / 1e9,
                    row("whole"), (up - begun) / 1e9,
                    row("heap"), Math.max(0, heap / 1024 / size),
                    row("threads"), Math.max(0, threads / size),
                    row("descriptors"), Math.max(0, descriptors / size));
        }
    }

    private static void start(NodesSide cluster, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            cluster.add();
        }
    }
}

package dev.muster.bench.steady;

import dev.muster.bench.Benchmark;
import dev.muster.bench.Row;
import dev.muster.bench.Side;
import dev.muster.bench.formation.NodesSide;
import dev.muster.bench.meter.ProcessMeter;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What the suite {@code steady} measures: a cluster in one process that has formed and is left alone. */
public enum SteadyBenchmark implements Benchmark {
    REST;

    private static final int NODES = 50;
    private static final int QUICK_NODES = 4;
    private static final int GROUP = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration SETTLING = Duration.ofSeconds(15);
    private static final Duration WATCHED = Duration.ofSeconds(30);
    private static final Duration QUICK_WATCHED = Duration.ofSeconds(1);

    @Override
    public String id() {
        return "rest";
    }

    @Override
    public List<Row> rows() {
        return List.of(
                new Row("cpu", NODES + " nodes at rest, processor", "% of a core", false, 0.01),
                new Row("bytes", NODES + " nodes at rest, sent by each", "bytes/s", false, 1));
    }

    @Override
    public Map<String, Double> measure(Side side, boolean quick) throws Exception {
        int nodes = quick ? QUICK_NODES : NODES;
        try (NodesSide cluster = NodesSide.of(side)) {
            for (int i = 0; i < nodes; i++) {
                cluster.add();
                if (i % GROUP == GROUP - 1) {
                    cluster.awaitUp(
                            PATIENCE); // started all at once, 50 nodes of Pekko keep two cores busy and never form
                }
            }
            cluster.awaitUp(PATIENCE);
            Thread.sleep(quick ? 0 : SETTLING.toMillis());
            long began = System.nanoTime();
            long cpuBefore = ProcessMeter.cpuNanos();
            long bytesBefore = cluster.sentBytes();
            Thread.sleep((quick ? QUICK_WATCHED : WATCHED).toMillis());
            double bytes = cluster.sentBytes() - bytesBefore;
            double cpu = ProcessMeter.cpuNanos() - cpuBefore;
            double nanos = System.nanoTime() - began;
            return Map.of("cpu", 100 * cpu / nanos, "bytes", bytes / (nanos / 1e9) / nodes);
        }
    }
}

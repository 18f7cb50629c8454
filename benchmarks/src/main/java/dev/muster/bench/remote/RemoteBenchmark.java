package dev.muster.bench.remote;

import dev.muster.bench.Benchmark;
import dev.muster.bench.Figures;
import dev.muster.bench.Row;
import dev.muster.bench.Side;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What the suite {@code remote} measures, between two nodes in one process, on real sockets of the loopback interface.
 */
public enum RemoteBenchmark implements Benchmark {
    ONE_WAY(new Row("one-way", "one-way, 100 bytes", "messages/s", true, 1)) {
        @Override
        Map<String, Double> measure(RemoteSide side, boolean quick) throws InterruptedException {
            Window window = new Window(WINDOW / BATCH);
            Consumer<byte[]> counter = side.counter(BATCH, window::give);
            int batches = quick ? 20 : 2_000;
            long warmUntil = System.nanoTime() + TimeUnit.SECONDS.toNanos(quick ? 0 : 10);
            do {
                flood(counter, window, batches / 4);
            } while (System.nanoTime() < warmUntil);
            double[] rates = new double[quick ? 1 : RUNS];
            for (int i = 0; i < rates.length; i++) {
                long start = System.nanoTime();
                flood(counter, window, batches);
                rates[i] = batches * (double) BATCH / ((System.nanoTime() - start) / 1e9);
            }
            return Map.of("one-way", Figures.medianOf(rates));
        }
    },

    ROUND_TRIP(
            new Row("p50", "round trip at 1,000/s, p50", "us", false, 1),
            new Row("p99", "round trip at 1,000/s, p99", "us", false, 1),
            new Row("p99-whole", "the same, without windows", "us", false, 1)) {
        @Override
        Map<String, Double> measure(RemoteSide side, boolean quick) throws InterruptedException {
            RoundTrips trips = new RoundTrips(side::echo);
            warmUp(trips, quick);
            for (int window = 0; window < (quick ? 2 : WINDOWS); window++) {
                trips.run(quick ? 100 : 2 * RATE, RATE, true);
            }
            return Map.of("p50", trips.medianMicros(), "p99", trips.tailMicros(), "p99-whole", trips.wholeTailMicros());
        }

        @Override
        public boolean isFor(Side side) {
            return true;
        }
    };

    /** How many messages are on their way at most. */
    static final int WINDOW = 20_000;

    private static final int BATCH = 1_000;
    private static final int RATE = 1_000;
    private static final int RUNS = 3;
    private static final int WINDOWS = 11;
    private static final int MOST_WARM_UPS = 20;
    private static final long SETTLED_MILLIS = 20;
    private static final int MESSAGE_BYTES = 100;

    @SuppressWarnings("ImmutableEnumChecker") // The list is one that cannot be changed.
    private final List<Row> rows;

    RemoteBenchmark(Row... rows) {
        this.rows = List.of(rows);
    }

    abstract Map<String, Double> measure(RemoteSide side, boolean quick) throws InterruptedException;

    /**
     * Until the JVM's compiler has settled. Before that it takes the processors from whoever is measured, for tens of
     * milliseconds at a time, and the tail is its own.
     */
    private static void warmUp(RoundTrips trips, boolean quick) throws InterruptedException {
        trips.flood(16, TimeUnit.MILLISECONDS.toNanos(quick ? 50 : 5_000));
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        for (int window = 0; window < (quick ? 1 : MOST_WARM_UPS); window++) {
            long before = compiler.getTotalCompilationTime();
            trips.run(quick ? 100 : 2 * RATE, RATE, false);
            if (compiler.getTotalCompilationTime() - before <= SETTLED_MILLIS) {
                return;
            }
        }
        if (!quick) {
            System.err.println("the compiler has not settled after " + MOST_WARM_UPS + " windows; measuring anyway");
        }
    }

    private static void flood(Consumer<byte[]> counter, Window window, int batches) throws InterruptedException {
        byte[] message = new byte[MESSAGE_BYTES];
        for (int batch = 0; batch < batches; batch++) {
            window.take();
            for (int i = 0; i < BATCH; i++) {
                counter.accept(message);
            }
        }
        window.await();
    }

    @Override
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Bare sockets only show what a round trip costs at least. */
    @Override
    public boolean isFor(Side side) {
        return side != Side.SOCKETS;
    }

    @Override
    public List<Row> rows() {
        return rows;
    }

    @Override
    public Map<String, Double> measure(Side side, boolean quick) throws Exception {
        try (RemoteSide nodes = RemoteSide.of(side)) {
            return measure(nodes, quick);
        }
    }
}

package dev.muster.bench.actors;

import dev.muster.bench.Benchmark;
import dev.muster.bench.Figures;
import dev.muster.bench.Row;
import dev.muster.bench.Side;
import dev.muster.bench.actors.ActorSide.Crowd;
import dev.muster.bench.actors.ActorSide.Work;
import dev.muster.bench.meter.HeapMeter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the suite {@code actors} measures. */
public enum ActorBenchmark implements Benchmark {
    TELL(new Row("tell", "tell, one sender to one actor", "messages/s", true, 1)) {
        @Override
        Map<String, Double> measure(ActorSide side, Sizes sizes) throws Exception {
            return Map.of("tell", perSecond(side.tell(), sizes.tells(), sizes));
        }
    },

    PING_PONG(new Row("ping-pong", "ping-pong, 16 pairs, window 50", "messages/s", true, 1)) {
        @Override
        Map<String, Double> measure(ActorSide side, Sizes sizes) throws Exception {
            return Map.of("ping-pong", perSecond(side.pingPong(PAIRS, BALLS), sizes.pingPongs(), sizes));
        }
    },

    ASK(new Row("ask", "ask, 100 questions open", "round trips/s", true, 1)) {
        @Override
        Map<String, Double> measure(ActorSide side, Sizes sizes) throws Exception {
            return Map.of("ask", perSecond(side.ask(OPEN_QUESTIONS), sizes.asks(), sizes));
        }
    },

    SPAWN(new Row("spawn", "spawn and stop 1,000,000 actors", "s", false, 0.001)) {
        @Override
        Map<String, Double> measure(ActorSide side, Sizes sizes) throws Exception {
            Work spawnAndStop = actors -> {
                Crowd crowd = side.crowd();
                crowd.start(actors);
                crowd.stop();
            };
            // Per million, so that small sizes keep the unit.
            return Map.of("spawn", 1e6 / perSecond(spawnAndStop, sizes.actors(), sizes));
        }
    },

    HEAP(
            new Row("heap-idle", "heap per idle actor", "bytes", false, 1),
            new Row("heap-used", "heap per idle actor, after one message", "bytes", false, 1)) {
        @Override
        Map<String, Double> measure(ActorSide side, Sizes sizes) throws Exception {
            Crowd trial = side.crowd();
            trial.start(FEW);
            trial.tellEach();
            trial.stop();
            Crowd crowd = side.crowd();
            long before = HeapMeter.usedBytes();
            crowd.start(sizes.actors());
            double idle = HeapMeter.usedBytes() - before;
            crowd.tellEach();
            double used = HeapMeter.usedBytes() - before;
            crowd.stop();
            return Map.of("heap-idle", idle / sizes.actors(), "heap-used", used / sizes.actors());
        }
    },

    ALLOCATION(new Row("allocation", "allocation per tell, ping-pong", "bytes", false, 0.01)) {
        @Override
        Map<String, Double> measure(ActorSide side, Sizes sizes) throws Exception {
            Work pingPong = side.pingPong(PAIRS, BALLS);
            warmUp(pingPong, sizes.pingPongs(), sizes);
            AllocationMeter meter = new AllocationMeter();
            pingPong.run(sizes.pingPongs());
            return Map.of("allocation", meter.bytes() / (double) sizes.pingPongs());
        }
    };

    private static final int PAIRS = 16;
    private static final int BALLS = 50;
    private static final int OPEN_QUESTIONS = 100;

    /** Enough to have loaded all classes and filled all pools before the heap is looked at. */
    private static final int FEW = 1_000;

    @SuppressWarnings("ImmutableEnumChecker") // The list is one that cannot be changed.
    private final List<Row> rows;

    ActorBenchmark(Row... rows) {
        this.rows = List.of(rows);
    }

    abstract Map<String, Double> measure(ActorSide side, Sizes sizes) throws Exception;

    @Override
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public List<Row> rows() {
        return rows;
    }

    @Override
    public Map<String, Double> measure(Side side, boolean quick) throws Exception {
        try (ActorSide actors = side == Side.MUSTER ? new MusterActors() : new PekkoActors()) {
            return measure(actors, Sizes.of(quick));
        }
    }

    private static double perSecond(Work work, int messages, Sizes sizes) throws Exception {
        warmUp(work, messages, sizes);
        double[] rates = new double[sizes.runs()];
        for (int i = 0; i < rates.length; i++) {
            // The garbage of one run is not the next one's burden.
            System.gc();
            long start = System.nanoTime();
            work.run(messages);
            rates[i] = messages / ((System.nanoTime() - start) / 1e9);
        }
        return Figures.medianOf(rates);
    }

    private static void warmUp(Work work, int messages, Sizes sizes) throws Exception {
        long start = System.nanoTime();
        do {
            work.run(messages);
        } while (System.nanoTime() - start < sizes.warmUp().toNanos());
    }
}

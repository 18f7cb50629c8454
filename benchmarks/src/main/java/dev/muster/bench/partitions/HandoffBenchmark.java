package dev.muster.bench.partitions;

import dev.muster.bench.Benchmark;
import dev.muster.bench.Row;
import dev.muster.bench.Side;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What the suite {@code handoff} measures: hosts leave and others join, one after the other, while a client asks all
 * partitions at an even rate.
 */
public enum HandoffBenchmark implements Benchmark {
    ORDERED(NodePlan.Kind.ORDERED),
    SINGLETON(NodePlan.Kind.SINGLETON);

    private static final int HOSTS = 3;
    private static final int PARTITIONS = 100;
    private static final int PER_SECOND = 1_000;
    private static final long SEED = 1;
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    /** Measured are nodes that have seen others come and go before, as those have that run for longer than a minute. */
    private static final int REPLACED_BEFORE = HOSTS;

    private static final Duration REST = Duration.ofSeconds(5);
    private static final Duration LATEST_ANSWER = Duration.ofSeconds(20);

    private static final int MOST_GAPS_TOLD = 20;

    private final NodePlan.Kind kind;

    HandoffBenchmark(NodePlan.Kind kind) {
        this.kind = kind;
    }

    @Override
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    private boolean hasState() {
        return kind == NodePlan.Kind.SINGLETON;
    }

    @Override
    public List<Row> rows() {
        List<Row> rows = new ArrayList<>(mustBeZero());
        rows.add(new Row(row("replaced"), id() + ", nodes replaced", "nodes", true, 1));
        rows.add(new Row(row("moves"), id() + ", moves of partitions", "moves", true, 1));
        rows.add(millis("p99", "p99 of answers during moves"));
        rows.add(millis("worst", "worst answer during moves"));
        rows.add(millis("move-p50", "worst answer of a move, p50"));
        rows.add(millis("move-p99", "worst answer of a move, p99"));
        rows.add(millis("late-p99", "of that, asked too late, p99"));
        rows.add(millis("between", "p99 of answers between moves"));
        return List.copyOf(rows);
    }

    @Override
    public List<Row> mustBeZero() {
        List<Row> rows = new ArrayList<>();
        rows.add(new Row(row("lost"), id() + ", lost", "messages", false, 1));
        rows.add(new Row(row("reordered"), id() + ", reordered", "messages", false, 1));
        rows.add(new Row(row("doubled"), id() + ", answered twice", "messages", false, 1));
        if (hasState()) {
            rows.add(new Row(row("forgotten"), id() + ", moves without the state", "moves", false, 1));
        }
        return List.copyOf(rows);
    }

    private Row millis(String what, String title) {
        return new Row(row(what), id() + ", " + title, "ms", false, 0.01);
    }

    private String row(String what) {
        return id() + "-" + what;
    }

    @Override
    public Map<String, Double> measure(Side side, boolean quick) throws Exception {
        throw new UnsupportedOperationException("nobody says for how long");
    }

    @Override
    public Map<String, Double> measure(Side side, boolean quick, Duration duration) throws Exception {
        NodePlan host = new NodePlan(side, kind, PARTITIONS, true, List.of());
        try (Fleet fleet = Fleet.start(host, HOSTS, host.asClient())) {
            Asker asker = Asker.start(fleet.own(), PARTITIONS, PER_SECOND);
            Thread.sleep((quick ? Duration.ofSeconds(1) : WARM_UP).toMillis());
            SplittableRandom random = new SplittableRandom(SEED);
            for (int i = 0; i < (quick ? 0 : REPLACED_BEFORE); i++) {
                replaceHost(fleet, random);
                tell(asker.rhythm(), i + 1 + " of the hosts replaced, not measured");
            }
            long beginNanos = System.nanoTime();
            int replaced = 0;
            do {
                replaceHost(fleet, random);
                replaced++;
                tell(asker.rhythm(), replaced + " of the hosts replaced");
            } while (System.nanoTime() < beginNanos + duration.toNanos());
            Asked asked = asker.stop();
            awaitLastAnswers(fleet.mailbox(), asked.count());
            Tally tally = Tally.of(asked, beginNanos, fleet.mailbox().answers());
            tally.gaps().stream().limit(MOST_GAPS_TOLD).forEach(System.err::println);
            return figures(replaced, tally);
        }
    }

    private static void replaceHost(Fleet fleet, SplittableRandom random) throws Exception {
        fleet.replace(fleet.processes().get(random.nextInt(HOSTS)));
        fleet.own().rebalance();
        Thread.sleep(REST.toMillis());
    }

    private static void tell(Rhythm rhythm, String what) {
        double seconds = (System.nanoTime() - rhythm.startNanos()) / 1e9;
        System.err.printf(Locale.ROOT, "  %.1f s after the start: %s%n", seconds, what);
    }

    private static void awaitLastAnswers(Mailbox mailbox, long sent) throws InterruptedException {
        long end = System.nanoTime() + LATEST_ANSWER.toNanos();
        while (mailbox.numbered() < sent && System.nanoTime() < end) {
            Thread.sleep(10);
        }
    }

    private Map<String, Double> figures(int replaced, Tally tally) {
        Map<String, Double> figures = new HashMap<>();
        figures.put(row("lost"), (double) tally.lost());
        figures.put(row("reordered"), (double) tally.reordered());
        figures.put(row("doubled"), (double) tally.doubled());
        if (hasState()) {
            figures.put(row("forgotten"), (double) tally.forgotten());
        }
        figures.put(row("replaced"), (double) replaced);
        figures.put(row("moves"), (double) tally.moves());
        figures.put(row("p99"), tally.duringMovesMillis(99));
        figures.put(row("worst"), tally.duringMovesMillis(100));
        figures.put(row("move-p50"), tally.longestOfMovesMillis(50));
        figures.put(row("move-p99"), tally.longestOfMovesMillis(99));
        figures.put(row("late-p99"), tally.lateInMovesMillis(99));
        figures.put(row("between"), tally.betweenMovesMillis(99));
        return figures;
    }
}

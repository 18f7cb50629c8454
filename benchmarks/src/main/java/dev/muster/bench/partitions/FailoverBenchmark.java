package dev.muster.bench.partitions;

import dev.muster.bench.Benchmark;
import dev.muster.bench.Row;
import dev.muster.bench.Side;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** What the suite {@code failover} measures: one of five hosts is killed, and its partitions start elsewhere. */
public enum FailoverBenchmark implements Benchmark {
    STATELESS(NodePlan.Kind.STATELESS),
    SINGLETON(NodePlan.Kind.SINGLETON);

    /** Four processes and this one. */
    private static final int PROCESSES = 4;

    /** So many that five kills are a hundred partitions that begin anew. */
    private static final int PARTITIONS = 100;

    private static final int PER_SECOND = 10 * PARTITIONS;
    private static final Duration SETTLING = Duration.ofSeconds(15);
    private static final Duration QUICK_SETTLING = Duration.ofSeconds(5);

    private final NodePlan.Kind kind;

    FailoverBenchmark(NodePlan.Kind kind) {
        this.kind = kind;
    }

    @Override
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<Row> rows() {
        return List.of(
                seconds("unreachable", "killed to unreachable"),
                seconds("removed", "killed to removed"),
                seconds("answers", "killed to answers, p50"),
                seconds("last", "killed to answers, last"),
                seconds("start", "removed to answers, last"));
    }

    private Row seconds(String what, String title) {
        return new Row(row(what), id() + ", " + title, "s", false, 0.001);
    }

    private String row(String what) {
        return id() + "-" + what;
    }

    @Override
    public Map<String, Double> measure(Side side, boolean quick) throws Exception {
        NodePlan host = new NodePlan(side, kind, PARTITIONS, true, List.of());
        try (Fleet fleet = Fleet.start(host, PROCESSES, host)) {
            Asker asker = Asker.start(fleet.own(), PARTITIONS, PER_SECOND);
            Thread.sleep((quick ? QUICK_SETTLING : SETTLING).toMillis());
            Map<Integer, Long> hosts = fleet.hosts();
            NodeProcess victim = victim(fleet, hosts);
            System.err.printf(
                    Locale.ROOT,
                    "  %d of %d partitions are on the node that is killed now%n",
                    hosts.values().stream().filter(it -> it == victim.pid()).count(),
                    PARTITIONS);
            long killedAt = System.nanoTime();
            victim.kill();
            Mailbox mailbox = fleet.mailbox();
            Recovery recovery = new Recovery(hosts, victim.pid(), killedAt);
            AtomicInteger looked = new AtomicInteger();
            Fleet.await("its partitions answer again", () -> {
                List<Received> news = mailbox.answersAfter(looked.get());
                looked.addAndGet(news.size());
                recovery.take(news);
                return recovery.isOver();
            });
            Asked asked = asker.stop();
            assert asked.count() > 0;
            String address = victim.address();
            // The news of the removal may come after the first answer.
            Fleet.await("it is removed", () -> mailbox.removedAt(address) != null);
            long removedAt = mailbox.removedAt(address);
            // Who was declared down without having been unreachable here was so in the view of others.
            Long unreachableAt = mailbox.unreachableAt(address);
            double removed = (removedAt - killedAt) / 1e9;
            double last = recovery.nanosAt(100) / 1e9;
            return Map.of(
                    row("unreachable"),
                    ((unreachableAt == null ? removedAt : unreachableAt) - killedAt) / 1e9,
                    row("removed"),
                    removed,
                    row("answers"),
                    recovery.nanosAt(50) / 1e9,
                    row("last"),
                    last,
                    row("start"),
                    Math.max(0, last - removed));
        }
    }

    /** One that hosts something; not the oldest if there is a choice, on which Pekko has the coordinator of shards. */
    private static NodeProcess victim(Fleet fleet, Map<Integer, Long> hosts) {
        List<NodeProcess> candidates = fleet.processes().stream()
                .filter(it -> hosts.containsValue(it.pid()))
                .toList();
        if (candidates.isEmpty()) {
            throw new IllegalStateException("all partitions are on one node, which is that of this process");
        }
        return candidates.get(candidates.size() - 1);
    }
}

package dev.muster.bench;

import dev.muster.bench.actors.ActorBenchmark;
import dev.muster.bench.formation.FormationBenchmark;
import dev.muster.bench.partitions.FailoverBenchmark;
import dev.muster.bench.partitions.HandoffBenchmark;
import dev.muster.bench.remote.RemoteBenchmark;
import dev.muster.bench.steady.SteadyBenchmark;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Benchmarks that belong together: what comes after {@code ./muster bench}. */
enum Suite {
    ACTORS,
    REMOTE,
    FORMATION,
    STEADY,
    HANDOFF,
    FAILOVER;

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<Benchmark> benchmarks() {
        return switch (this) {
            case ACTORS -> List.of(ActorBenchmark.values());
            case REMOTE -> List.of(RemoteBenchmark.values());
            case FORMATION -> List.of(FormationBenchmark.values());
            case STEADY -> List.of(SteadyBenchmark.values());
            case HANDOFF -> List.of(HandoffBenchmark.values());
            case FAILOVER -> List.of(FailoverBenchmark.values());
        };
    }

    /** Who Muster can be compared with. */
    List<Side> peers() {
        return switch (this) {
            case FORMATION -> List.of(Side.PEKKO, Side.SCALECUBE);
            case REMOTE -> List.of(Side.PEKKO, Side.SOCKETS);
            default -> List.of(Side.PEKKO);
        };
    }

    /** How often each side is measured if nobody says so. */
    int rounds() {
        return this == HANDOFF ? 1 : 5;
    }

    Optional<Benchmark> benchmark(String id) {
        return benchmarks().stream().filter(it -> it.id().equals(id)).findFirst();
    }

    static Optional<Suite> named(String id) {
        return Arrays.stream(values()).filter(it -> it.id().equals(id)).findFirst();
    }
}

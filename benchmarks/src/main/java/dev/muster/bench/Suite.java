package dev.muster.bench;

import dev.muster.bench.actors.ActorBenchmark;
import dev.muster.bench.formation.FormationBenchmark;
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
    STEADY;

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<Benchmark> benchmarks() {
        return switch (this) {
            case ACTORS -> List.of(ActorBenchmark.values());
            case REMOTE -> List.of(RemoteBenchmark.values());
            case FORMATION -> List.of(FormationBenchmark.values());
            case STEADY -> List.of(SteadyBenchmark.values());
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

    Optional<Benchmark> benchmark(String id) {
        return benchmarks().stream().filter(it -> it.id().equals(id)).findFirst();
    }

    static Optional<Suite> named(String id) {
        return Arrays.stream(values()).filter(it -> it.id().equals(id)).findFirst();
    }
}

package dev.muster.bench;

import dev.muster.bench.actors.ActorBenchmark;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Benchmarks that belong together: what comes after {@code ./muster bench}. */
enum Suite {
    ACTORS;

    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    List<Benchmark> benchmarks() {
        return switch (this) {
            case ACTORS -> List.of(ActorBenchmark.values());
        };
    }

    Optional<Benchmark> benchmark(String id) {
        return benchmarks().stream().filter(it -> it.id().equals(id)).findFirst();
    }

    static Optional<Suite> named(String id) {
        return Arrays.stream(values()).filter(it -> it.id().equals(id)).findFirst();
    }
}

package dev.muster.actor;

import dev.muster.virtual.VirtualEnvironment;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** A virtual world with one actor system in it. */
final class World {

    final VirtualEnvironment environment;
    final ActorSystem system;

    World(long seed, ActorSettings settings) {
        environment = new VirtualEnvironment(seed);
        system = ActorSystem.create("world", settings, environment.environment());
    }

    static World ofSeed(long seed) {
        return new World(seed, ActorSettings.defaults());
    }

    /** Tells the same story in worlds that choose differently who goes next. */
    static void forSeeds(int count, Consumer<World> story) {
        forEachSeed(count, seed -> story.accept(ofSeed(seed)));
    }

    static void forEachSeed(int count, LongConsumer story) {
        for (long seed = 1; seed <= count; seed++) {
            try {
                story.accept(seed);
            } catch (Throwable failure) {
                throw new AssertionError("with seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
    }

    <M> ActorRef<M> spawn(Behavior<M> behavior, String name) {
        return system.spawn(behavior, name);
    }

    <M> ActorRef<M> spawn(Behavior<M> behavior) {
        return system.spawn(behavior, null, SpawnOptions.defaults());
    }

    <M> Probe<M> probe() {
        return new Probe<>(system);
    }

    /** Everything of that type that is published from now on. */
    <E> Probe<E> events(Class<E> type) {
        Probe<E> probe = new Probe<>(system);
        system.events().subscribe(probe.ref(), type);
        return probe;
    }

    /** Until nobody has anything to do; time does not pass. */
    void run() {
        environment.runUntilIdle();
    }

    void pass(Duration time) {
        environment.advance(time);
    }

    ActorMetrics.OfType metricsOf(Class<?> protocol) {
        return system.metrics().types().stream()
                .filter(row -> row.type().equals(protocol.getName()))
                .findFirst()
                .orElseThrow();
    }

    long deadLetters(DeadLetter.Reason reason) {
        return system.metrics().deadLetters().get(reason);
    }
}

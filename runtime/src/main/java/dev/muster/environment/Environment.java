package dev.muster.environment;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The only door to the impure world: time, threads, chance and how busy the machine is.
 *
 * <p>Production and simulation differ in nothing but the environment they build, so the actors that run in production
 * are the actors that run, in a chosen order and in virtual time, in a test.
 *
 * @param clock what time it is
 * @param timers to be woken later
 * @param dispatchers where actors run
 * @param random dice; used from any thread, so it must be safe for that
 * @param fatal told of an error after which this process must not go on, such as no memory left; in production it does
 *     not return
 * @param load what this process costs the machine
 */
public record Environment(
        Clock clock,
        Timers timers,
        Dispatchers dispatchers,
        RandomGenerator random,
        Consumer<Throwable> fatal,
        ProcessLoad load) {

    public Environment {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(timers, "timers");
        Objects.requireNonNull(dispatchers, "dispatchers");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(fatal, "fatal");
        Objects.requireNonNull(load, "load");
    }

    /** An environment in which nobody knows how busy it is. */
    public Environment(
            Clock clock, Timers timers, Dispatchers dispatchers, RandomGenerator random, Consumer<Throwable> fatal) {
        this(clock, timers, dispatchers, random, fatal, ProcessLoad.IDLE);
    }
}

package dev.muster.real;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.muster.environment.Environment;

/** The threads and timers that one actor system has for itself, or that many nodes in one process share. */
final class Machinery {
    private final Environment environment;
    private final WheelTimers timers;
    private final RealDispatchers dispatchers;

    private Machinery(Environment environment, WheelTimers timers, RealDispatchers dispatchers) {
        this.environment = environment;
        this.timers = timers;
        this.dispatchers = dispatchers;
    }

    /** @param name what its threads are called after */
    static Machinery start(String name, Config config) {
        RealDispatchers dispatchers;
        try {
            dispatchers = new RealDispatchers(name, config.getConfig("muster.actor.dispatchers"));
        } catch (ConfigException wrong) {
            throw new IllegalArgumentException("the configuration cannot be used: " + wrong.getMessage(), wrong);
        }
        WheelTimers timers = new WheelTimers(name, Runtime.getRuntime().availableProcessors());
        Environment environment = new Environment(
                new SystemClock(), timers, dispatchers, new SharedRandom(), new FatalErrors(), new SystemProcessLoad());
        timers.start();
        return new Machinery(environment, timers, dispatchers);
    }

    Environment environment() {
        return environment;
    }

    void close() {
        timers.close();
        dispatchers.shutdown();
    }
}

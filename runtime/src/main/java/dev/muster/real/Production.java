package dev.muster.real;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorSettings;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.environment.Environment;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Starts actor systems on real threads and clocks. */
public final class Production {

    private static final String HOOK_KEY = "muster.coordinated-shutdown.run-by-jvm-shutdown-hook";

    private Production() {}

    public static ActorSystem start(String name, Config given) {
        Objects.requireNonNull(name, "name");
        Config config = given.withFallback(ConfigFactory.defaultReference()).resolve();
        ActorSettings settings;
        RealDispatchers dispatchers;
        boolean hasHook;
        try {
            settings = ActorSettings.from(config);
            dispatchers = new RealDispatchers(name, config.getConfig("muster.actor.dispatchers"));
            hasHook = config.getBoolean(HOOK_KEY);
        } catch (ConfigException wrong) {
            throw new IllegalArgumentException("the configuration cannot be used: " + wrong.getMessage(), wrong);
        }
        WheelTimers timers = new WheelTimers(name, Runtime.getRuntime().availableProcessors());
        Environment environment =
                new Environment(new SystemClock(), timers, dispatchers, new SharedRandom(), new FatalErrors());
        ActorSystem system = LocalActorSystem.start(name, settings, environment, () -> {
            timers.close();
            dispatchers.shutdown();
        });
        timers.start();
        if (hasHook) {
            addHook(system, settings);
        }
        return system;
    }

    /** The hook keeps the process until the shutdown is through, or until all of its time has been used. */
    private static void addHook(ActorSystem system, ActorSettings settings) {
        long allMillis = 1_000
                + settings.phaseTimeouts().values().stream()
                        .mapToLong(java.time.Duration::toMillis)
                        .sum();
        Thread hook = new Thread(
                () -> {
                    try {
                        system.shutdown().run("the JVM exits").get(allMillis, TimeUnit.MILLISECONDS);
                    } catch (Exception e) {
                        system.log().warn("the shutdown did not finish before the JVM exits", e);
                    }
                },
                system.name() + "-shutdown-hook");
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException exitsAlready) {
            system.log().warn("the JVM is exiting already, so system {} will end without its shutdown", system.name());
            return;
        }
        // A system that has ended is not kept in memory by its hook. While the JVM exits, hooks cannot be removed.
        var unused = system.whenTerminated().thenRun(() -> {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException exits) {
                system.log().debug("the JVM is exiting");
            }
        });
    }
}

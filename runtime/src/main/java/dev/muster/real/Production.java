package dev.muster.real;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorSettings;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.settings.ProviderReader;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Starts actor systems on real threads, clocks and sockets. */
public final class Production {

    private static final String HOOK_KEY = "muster.coordinated-shutdown.run-by-jvm-shutdown-hook";

    private Production() {}

    /**
     * Starts a system of its own.
     *
     * @param setup starts the actors that the system begins with; run again if the node begins anew
     */
    public static ActorSystem start(String name, Config given, Consumer<ActorSystem> setup) {
        Objects.requireNonNull(name, "name");
        Config config = complete(given);
        Machinery machinery = Machinery.start(name, config);
        try {
            return start(name, config, setup, machinery, partsOf(name, config), true);
        } catch (RuntimeException refused) {
            machinery.close();
            throw refused;
        }
    }

    /** The given configuration, with what it leaves open filled in. */
    static Config complete(Config given) {
        return given.withFallback(ConfigFactory.defaultReference()).resolve();
    }

    /** What makes it a node, or null if it is to be none. */
    private static NodeParts partsOf(String name, Config config) {
        return read(() -> ProviderReader.isClusterNode(config)) ? NodeParts.prepare(name, config) : null;
    }

    private static <T> T read(Supplier<T> value) {
        try {
            return value.get();
        } catch (ConfigException wrong) {
            throw new IllegalArgumentException("the configuration cannot be used: " + wrong.getMessage(), wrong);
        }
    }

    /** Starts a system on machinery that may be shared with others. */
    static ActorSystem start(
            String name,
            Config config,
            Consumer<ActorSystem> setup,
            Machinery machinery,
            NodeParts parts,
            boolean ownsMachinery) {
        ActorSettings settings = read(() -> ActorSettings.from(config));
        boolean hasHook = read(() -> config.getBoolean(HOOK_KEY));
        LocalActorSystem system = LocalActorSystem.start(name, settings, machinery.environment(), () -> {
            if (parts != null) {
                parts.close();
            }
            if (ownsMachinery) {
                machinery.close();
            }
        });
        if (parts != null) {
            try {
                parts.begin(system, setup);
            } catch (RuntimeException refused) {
                parts.close();
                throw refused;
            }
        } else {
            setup.accept(system);
        }
        if (hasHook) {
            addHook(system);
        }
        return system;
    }

    /** The hook keeps the process until the shutdown is through, or until all of its time has been used. */
    private static void addHook(ActorSystem system) {
        Thread hook = new Thread(
                () -> {
                    long allMillis = 1_000 + system.shutdown().limit().toMillis();
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

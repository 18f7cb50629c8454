package dev.muster.real;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.actor.ActorSystem;
import dev.muster.core.state.NodeAddress;
import dev.muster.environment.Environment;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Many nodes in one process that share threads and timers, so that one more costs no thread. */
public final class LocalNodes implements AutoCloseable {
    private static final Map<String, String> ALWAYS = Map.of(
            "muster.actor.provider", "cluster",
            "muster.coordinated-shutdown.run-by-jvm-shutdown-hook", "off");

    private final String name;
    private final Config config;
    private final Machinery machinery;
    private final NodeParts parts;

    public LocalNodes(String name, Config given) {
        this.name = name;
        this.config = Production.complete(ConfigFactory.parseMap(ALWAYS).withFallback(given));
        this.parts = NodeParts.prepare(name, config);
        this.machinery = Machinery.start(name, config);
    }

    /** Starts one more node, with these seed nodes and a port that the system chooses. */
    public ActorSystem start(List<NodeAddress> seeds, Consumer<ActorSystem> setup) {
        return Production.start(name, config, setup, machinery, parts.with(0, seeds), false);
    }

    /** Starts one more node with settings of its own. */
    public ActorSystem start(Config own, Consumer<ActorSystem> setup) {
        Config complete = own.withFallback(config).resolve();
        return Production.start(name, complete, setup, machinery, NodeParts.prepare(name, complete), false);
    }

    public Environment environment() {
        return machinery.environment();
    }

    /** After the last node has ended. */
    @Override
    public void close() {
        parts.close();
        machinery.close();
    }
}

package dev.muster.node;

import com.typesafe.config.Config;
import java.util.Objects;

/**
 * What a node is started with.
 *
 * @param system the name of its cluster, a part of every address
 * @param config everything, resolved, with the defaults of all modules
 */
public record NodeOptions(String system, Config config) {

    public NodeOptions {
        Objects.requireNonNull(system, "system");
        Objects.requireNonNull(config, "config");
    }

    /** With the system's name from {@code muster.node.system}. */
    public static NodeOptions of(Config config) {
        return new NodeOptions(config.getString("muster.node.system"), config);
    }
}

package dev.muster.settings;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.muster.core.ClusterSettings;
import dev.muster.core.state.NodeAddress;
import dev.muster.discovery.DiscoverySettings;
import dev.muster.remote.RemoteSettings;
import java.util.List;
import java.util.Objects;

/**
 * All that a node is told about its network and its cluster: {@code muster.remote}, {@code muster.cluster} and
 * {@code muster.discovery}. {@code reference.conf} says what each key trades.
 *
 * @param warnings sentences for the log: what was written but is not used, and what is used but not safe
 */
public record NodeSettings(
        RemoteSettings remote,
        ClusterSettings cluster,
        RejoinSettings rejoin,
        DiscoverySettings discovery,
        List<String> warnings) {

    public NodeSettings {
        Objects.requireNonNull(remote, "remote");
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(rejoin, "rejoin");
        Objects.requireNonNull(discovery, "discovery");
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads a configuration, with or without {@code reference.conf} in it.
     *
     * @throws ConfigurationException naming everything that is wrong
     */
    public static NodeSettings from(Config config, String systemName) {
        Objects.requireNonNull(systemName, "systemName");
        Sources sources = sourcesOf(config);
        return read(new SettingsReader(sources, sources.complete()), systemName);
    }

    private static Sources sourcesOf(Config config) {
        try {
            return new Sources(config);
        } catch (ConfigException unreadable) {
            throw new IllegalArgumentException(
                    "the configuration cannot be used: " + unreadable.getMessage(), unreadable);
        }
    }

    static NodeSettings read(SettingsReader reader, String systemName) {
        RemoteSettings remote = new RemoteReader(reader).read();
        List<NodeAddress> seeds = new SeedNodes(reader, remote, systemName).read();
        ClusterReader cluster = new ClusterReader(reader);
        ClusterSettings clusterSettings = cluster.read(seeds);
        RejoinSettings rejoin = cluster.rejoin();
        DiscoverySettings discovery = new DiscoveryReader(reader).read(seeds);
        reader.throwIfWrong();
        return new NodeSettings(remote, clusterSettings, rejoin, discovery, reader.warnings());
    }
}

package dev.muster.settings;

import dev.muster.core.state.NodeAddress;
import dev.muster.remote.RemoteSettings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads seed nodes: {@code protocol://system@host:port}, or {@code host:port}, which is completed by the protocol and
 * system of this node.
 *
 * <p>The protocols of Akka, Pekko and Muster stand for each other in this list, as it may have been written for another
 * one of them; what this node calls its peers by is its own protocol.
 */
final class SeedNodes {

    private static final String KEY = "cluster.seed-nodes";
    private static final Set<String> INTERCHANGEABLE = Set.of("muster", "pekko", "akka", "akka.tcp");

    private final SettingsReader reader;
    private final RemoteSettings remote;
    private final String system;

    SeedNodes(SettingsReader reader, RemoteSettings remote, String system) {
        this.reader = reader;
        this.remote = remote;
        this.system = system;
    }

    List<NodeAddress> read() {
        List<NodeAddress> seeds = new ArrayList<>();
        Set<String> otherProtocols = new LinkedHashSet<>();
        for (String text :
                reader.texts(KEY, "must be a list, such as [\"10.0.0.1:2551\", \"10.0.0.2:2551\"]", t -> true)) {
            try {
                NodeAddress written = parse(text.strip());
                requireOurs(text, written);
                if (!written.protocol().equals(remote.protocolName())) {
                    otherProtocols.add(written.protocol());
                }
                seeds.add(new NodeAddress(remote.protocolName(), system, written.host(), written.port()));
            } catch (IllegalArgumentException wrong) {
                reader.refuse(KEY, wrong.getMessage());
            }
        }
        for (String protocol : otherProtocols) {
            reader.warn(reader.nameOf(KEY) + " says " + protocol + "://, this node speaks " + remote.protocolName()
                    + "://; set " + Sources.ROOT + "remote.protocol-name if the seeds are nodes of that kind");
        }
        warnIfUnreachableForThem(seeds);
        return seeds;
    }

    private NodeAddress parse(String text) {
        return NodeAddress.parse(text.contains("://") ? text : remote.protocolName() + "://" + system + "@" + text);
    }

    private void requireOurs(String text, NodeAddress written) {
        if (!written.system().equals(system)) {
            throw new IllegalArgumentException(text + " is in a system called " + written.system()
                    + ", but this one is called " + system + "; members of a cluster have the same system name");
        }
        if (!written.protocol().equals(remote.protocolName()) && !INTERCHANGEABLE.contains(written.protocol())) {
            throw new IllegalArgumentException(text + " has the protocol " + written.protocol() + ", which is neither "
                    + remote.protocolName() + " nor muster, pekko or akka");
        }
    }

    private void warnIfUnreachableForThem(List<NodeAddress> seeds) {
        if (Hosts.isLoopback(remote.host())) {
            seeds.stream()
                    .filter(seed -> !Hosts.isLoopback(seed.host()))
                    .findFirst()
                    .ifPresent(
                            seed -> reader.warn("seed " + seed.hostAndPort() + " is on another machine, but this node "
                                    + "says it is at " + remote.host() + ", where nobody there can reach it; set "
                                    + Sources.ROOT
                                    + "remote.artery.canonical.hostname"));
        }
    }
}

package dev.muster.wire;

import dev.muster.core.state.NodeAddress;

/**
 * Whose words a node uses where systems that understand each other still name things differently. The protocol name of
 * a node's address decides, since all members of a cluster share it.
 */
public enum WireDialect {
    MUSTER("muster", "org.apache.pekko.cluster.", "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"),
    PEKKO("pekko", "org.apache.pekko.cluster.", "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"),
    AKKA("akka", "akka.cluster.", "akka.cluster.sbr.SplitBrainResolverProvider");

    private final String configurationRoot;
    private final String manifestPrefix;
    private final String resolverName;

    WireDialect(String configurationRoot, String manifestPrefix, String resolverName) {
        this.configurationRoot = configurationRoot;
        this.manifestPrefix = manifestPrefix;
        this.resolverName = resolverName;
    }

    /** Any protocol name that nobody else has is ours. */
    public static WireDialect of(NodeAddress address) {
        return switch (address.protocol()) {
            case "pekko" -> PEKKO;
            case "akka" -> AKKA;
            default -> MUSTER;
        };
    }

    /** The first part of all configuration keys. */
    String configurationRoot() {
        return configurationRoot;
    }

    /** What long manifests begin with. They are compared as texts; no class is ever looked up. */
    String manifestPrefix() {
        return manifestPrefix;
    }

    /** How automatic downing is named in the configuration that is compared. */
    String resolverName() {
        return resolverName;
    }
}

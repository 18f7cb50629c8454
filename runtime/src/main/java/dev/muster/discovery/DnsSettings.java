package dev.muster.discovery;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What to ask the domain name system: {@code muster.discovery.dns}.
 *
 * @param name the name that all nodes share
 * @param type which kind of record lists the nodes
 * @param port the port of all nodes, for address records; 0 for that of this node
 * @param portName the service, for service records; empty if {@code name} is the whole name
 * @param protocol the protocol of the service
 * @param servers name servers as {@code address:port}; empty for those of the system
 * @param timeout how long a lookup may take
 * @param requiredResults a lookup that finds fewer has failed
 * @param maxResults how many are used
 */
public record DnsSettings(
        String name,
        RecordType type,
        int port,
        String portName,
        String protocol,
        List<String> servers,
        Duration timeout,
        int requiredResults,
        int maxResults) {

    public DnsSettings {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(portName, "portName");
        Objects.requireNonNull(protocol, "protocol");
        servers = List.copyOf(servers);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("discovery.dns.name must be set");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("discovery.dns.port must be between 0 and 65535, was " + port);
        }
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("discovery.dns.timeout must be positive, was " + timeout);
        }
        if (requiredResults < 1 || maxResults < requiredResults) {
            throw new IllegalArgumentException("discovery.dns.required-results must be at least 1 and at most "
                    + "max-results, were " + requiredResults + " and " + maxResults);
        }
    }

    /** The name as it is asked. */
    public String queriedName() {
        return type == RecordType.SRV && !portName.isEmpty() ? "_" + portName + "._" + protocol + "." + name : name;
    }

    /** Which kind of record lists the nodes. */
    public enum RecordType {
        /** Addresses; the port is the same everywhere. */
        A,
        /** Host names with ports. */
        SRV
    }
}

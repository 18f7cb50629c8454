package dev.muster.core.state;

import java.util.Objects;

/**
 * Where a node listens: {@code protocol://system@host:port}. Two processes that follow each other at one place share
 * it; a {@link NodeId} tells them apart.
 *
 * <p>Addresses are ordered by host text, then port, as every member of a cluster must agree on that order. Protocol and
 * system only break ties, so that the order is consistent with equality; inside one cluster they are always equal.
 */
public record NodeAddress(String protocol, String system, String host, int port) implements Comparable<NodeAddress> {

    public NodeAddress {
        requireName("protocol", protocol);
        requireName("system", system);
        requireHost(host);
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port must be between 1 and 65535, was " + port);
        }
    }

    /** Reads {@code protocol://system@host:port}. */
    public static NodeAddress parse(String text) {
        Objects.requireNonNull(text, "text");
        int scheme = text.indexOf("://");
        int at = text.indexOf('@', scheme + 3);
        int colon = text.lastIndexOf(':');
        if (scheme < 1 || at < 0 || colon < at) {
            throw new IllegalArgumentException(
                    "not a node address: '" + text + "'; write it as protocol://system@host:port");
        }
        return new NodeAddress(
                text.substring(0, scheme),
                text.substring(scheme + 3, at),
                text.substring(at + 1, colon),
                parsePort(text, colon));
    }

    private static int parsePort(String text, int colon) {
        try {
            return Integer.parseInt(text.substring(colon + 1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "not a port number in node address '" + text + "': '" + text.substring(colon + 1) + "'", e);
        }
    }

    /** True when both belong to the same named system and speak the same protocol, so that they may share a cluster. */
    public boolean sameSystemAs(NodeAddress other) {
        return system.equals(other.system) && protocol.equals(other.protocol);
    }

    public String hostAndPort() {
        return host + ":" + port;
    }

    @Override
    public int compareTo(NodeAddress other) {
        if (this == other) {
            return 0;
        }
        int order = host.compareTo(other.host);
        if (order == 0) {
            order = Integer.compare(port, other.port);
        }
        if (order == 0) {
            order = system.compareTo(other.system);
        }
        return order != 0 ? order : protocol.compareTo(other.protocol);
    }

    @Override
    public String toString() {
        return protocol + "://" + system + "@" + host + ":" + port;
    }

    private static void requireName(String what, String value) {
        if (value == null || value.isEmpty() || !value.chars().allMatch(NodeAddress::isNameCharacter)) {
            throw new IllegalArgumentException(
                    what + " may hold letters, digits, '.', '_' and '-' only, was '" + value + "'");
        }
    }

    private static void requireHost(String host) {
        if (host == null
                || host.isEmpty()
                || !host.chars().allMatch(c -> isNameCharacter(c) || c == ':' || c == '[' || c == ']')) {
            throw new IllegalArgumentException("host may hold letters, digits, '.', '_', '-', and an IPv6 literal's "
                    + "colons and brackets only, was '" + host + "'");
        }
    }

    private static boolean isNameCharacter(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
    }
}

package dev.muster.remote;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How this node is reached and how it treats its peers: {@code muster.remote}.
 *
 * @param protocolName the first part of every address; {@code muster}, or {@code pekko} or {@code akka} in a mixed
 *     cluster
 * @param acceptedProtocolNames protocol names besides our own that addresses may have
 * @param host the name or number under which others reach this node
 * @param port the port under which others reach this node; 0 lets the system choose one
 * @param bindHost where to listen, if that is another interface than {@code host}
 * @param bindPort where to listen, if that is another port than {@code port}
 * @param insecure whether a node may be reached from other machines without TLS
 * @param tls certificates and keys; empty for the plain wire
 * @param maxFrameBytes the longest frame on the control and ordinary streams, in and out
 * @param maxLargeFrameBytes the longest frame on the large stream
 * @param largeMessageDestinations actor paths, such as {@code /user/files} or {@code /user/files/*}, whose messages
 *     take the large stream
 * @param outboundQueueBytes how many bytes may wait for one peer on the ordinary stream; what comes on top is a dead
 *     letter
 * @param handshakeTimeout how long a connection may be open before the other side has said who it is
 * @param connectTimeout how long an attempt to connect may take
 * @param reconnectMin the first wait after a failed attempt
 * @param reconnectMax the longest wait between two attempts
 * @param stopIdleOutboundAfter when a connection that carries no messages is closed
 * @param systemMessageBuffer how many unacknowledged system messages a peer may owe before it is quarantined
 * @param systemMessageResend how often unacknowledged system messages are sent again
 * @param giveUpSystemMessageAfter how long a system message may stay unacknowledged before the peer is quarantined
 * @param compression whether frequent refs and manifests are agreed on by number
 */
public record RemoteSettings(
        String protocolName,
        List<String> acceptedProtocolNames,
        String host,
        int port,
        Optional<String> bindHost,
        Optional<Integer> bindPort,
        boolean insecure,
        Optional<TlsSettings> tls,
        int maxFrameBytes,
        int maxLargeFrameBytes,
        List<String> largeMessageDestinations,
        int outboundQueueBytes,
        Duration handshakeTimeout,
        Duration connectTimeout,
        Duration reconnectMin,
        Duration reconnectMax,
        Duration stopIdleOutboundAfter,
        int systemMessageBuffer,
        Duration systemMessageResend,
        Duration giveUpSystemMessageAfter,
        boolean compression) {

    public RemoteSettings {
        Objects.requireNonNull(protocolName, "protocolName");
        Objects.requireNonNull(host, "host");
        acceptedProtocolNames = List.copyOf(acceptedProtocolNames);
        largeMessageDestinations = List.copyOf(largeMessageDestinations);
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("canonical.port must be between 0 and 65535, was " + port);
        }
        if (maxFrameBytes < 32 * 1024) {
            throw new IllegalArgumentException(
                    "advanced.maximum-frame-size must be at least 32 KiB, was " + maxFrameBytes + " bytes");
        }
        if (maxLargeFrameBytes < maxFrameBytes) {
            throw new IllegalArgumentException("advanced.maximum-large-frame-size must be at least "
                    + "maximum-frame-size, was " + maxLargeFrameBytes + " bytes");
        }
    }

    public static RemoteSettings defaults() {
        return new RemoteSettings(
                "muster",
                List.of(),
                "127.0.0.1",
                0,
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                256 * 1024,
                2 * 1024 * 1024,
                List.of(),
                8 * 1024 * 1024,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofMillis(500),
                Duration.ofSeconds(5),
                Duration.ofMinutes(5),
                20_000,
                Duration.ofSeconds(1),
                Duration.ofHours(6),
                true);
    }

    public RemoteSettings withPort(int next) {
        return new RemoteSettings(
                protocolName,
                acceptedProtocolNames,
                host,
                next,
                bindHost,
                bindPort,
                insecure,
                tls,
                maxFrameBytes,
                maxLargeFrameBytes,
                largeMessageDestinations,
                outboundQueueBytes,
                handshakeTimeout,
                connectTimeout,
                reconnectMin,
                reconnectMax,
                stopIdleOutboundAfter,
                systemMessageBuffer,
                systemMessageResend,
                giveUpSystemMessageAfter,
                compression);
    }
}

package dev.muster.interop.node;

import dev.muster.testkit.relay.Relays;
import java.util.List;
import java.util.Optional;

/**
 * What all nodes of a cluster have in common.
 *
 * @param protocol how addresses begin; with {@code akka}, nodes of Muster read an {@code akka} section, and nodes of
 *     Pekko are told to speak as Akka does
 * @param relays what is between the nodes, if anything
 * @param settings in Pekko's words, as {@code key=value}
 */
public record Setup(Release release, String protocol, Optional<Relays> relays, List<String> settings) {

    public static Setup of(String... settings) {
        return new Setup(Release.NEWEST, "pekko", Optional.empty(), List.of(settings));
    }

    public Setup with(Release other) {
        return new Setup(other, protocol, relays, settings);
    }

    public Setup speaking(String otherProtocol) {
        return new Setup(release, otherProtocol, relays, settings);
    }

    public Setup behind(Relays between) {
        return new Setup(release, protocol, Optional.of(between), settings);
    }

    String address(int port) {
        return protocol + "://" + Node.SYSTEM + "@127.0.0.1:" + port;
    }
}

package dev.muster.discovery;

import java.util.Objects;
import java.util.Optional;

/**
 * Where seed nodes come from: {@code muster.discovery}.
 *
 * @param dns what to look up; empty when the seed nodes of the configuration are all there is
 */
public record DiscoverySettings(Optional<DnsSettings> dns) {

    public DiscoverySettings {
        Objects.requireNonNull(dns, "dns");
    }

    public static DiscoverySettings defaults() {
        return new DiscoverySettings(Optional.empty());
    }
}

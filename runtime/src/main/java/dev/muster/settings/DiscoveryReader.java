package dev.muster.settings;

import dev.muster.core.state.NodeAddress;
import dev.muster.discovery.DiscoverySettings;
import dev.muster.discovery.DnsSettings;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Reads {@code muster.discovery}. */
final class DiscoveryReader {

    private static final String METHOD = "discovery.method";
    private static final String DNS = "discovery.dns.";
    private static final Predicate<String> NAME =
            Pattern.compile("[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?").asMatchPredicate();
    private static final Predicate<String> LABEL =
            Pattern.compile("[A-Za-z0-9-]{1,62}").asMatchPredicate();
    private static final Predicate<String> SERVER = Pattern.compile(
                    "([0-9]{1,3}(\\.[0-9]{1,3}){3}|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?")
            .asMatchPredicate();

    private final SettingsReader reader;

    DiscoveryReader(SettingsReader reader) {
        this.reader = reader;
    }

    DiscoverySettings read(List<NodeAddress> seeds) {
        String method = reader.text(METHOD, "must be config or dns", List.of("config", "dns")::contains);
        boolean isDns = method.equals("dns");
        if (isDns && !seeds.isEmpty()) {
            reader.refuse(
                    METHOD,
                    "looks seed nodes up, but " + reader.nameOf("cluster.seed-nodes")
                            + " names some too; keep one of the two");
        }
        Optional<DnsSettings> dns = dns(isDns);
        return new DiscoverySettings(isDns ? dns : Optional.empty());
    }

    private Optional<DnsSettings> dns(boolean isUsed) {
        String name = reader.text(DNS + "name", "must be a domain name", text -> text.isEmpty() || NAME.test(text));
        String type = reader.text(
                DNS + "type", "must be a or srv", text -> List.of("a", "srv").contains(text.toLowerCase(Locale.ROOT)));
        int port = reader.whole(DNS + "port", 0, 65_535);
        String portName = reader.text(
                DNS + "port-name",
                "must be the name of a service, without the underscore",
                text -> text.isEmpty() || LABEL.test(text));
        String protocol = reader.text(DNS + "protocol", "must be the name of a protocol, such as tcp", LABEL);
        List<String> servers =
                reader.texts(DNS + "servers", "must be a list of name servers, such as [\"10.0.0.53:53\"]", SERVER);
        var timeout = reader.positive(DNS + "timeout");
        int required = reader.whole(DNS + "required-results", 1, 1_000);
        int most = reader.whole(DNS + "max-results", 1, 1_000);
        if (most < required) {
            reader.refuse(DNS + "max-results", "must not be below " + reader.nameOf(DNS + "required-results"));
        }
        if (isUsed && name.isEmpty()) {
            reader.refuse(DNS + "name", "must be set for discovery.method = dns");
        }
        if (name.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new DnsSettings(
                name,
                DnsSettings.RecordType.valueOf(type.toUpperCase(Locale.ROOT)),
                port,
                portName,
                protocol,
                servers,
                timeout,
                required,
                Math.max(most, required)));
    }
}

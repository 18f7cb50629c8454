package dev.muster.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.core.ClusterSettings;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.discovery.DiscoverySettings;
import dev.muster.remote.RemoteSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Keys, documentation and settings are the same set: nothing is read that is not documented, nor the reverse. */
class KeysTest {

    private static final String RESOLVER = "muster.cluster.split-brain-resolver.";

    @Test
    void whatIsReadIsWhatTheReferenceHas() {
        Sources sources = new Sources(ConfigFactory.empty());
        Set<String> read = new TreeSet<>();
        NodeSettings.read(new SettingsReader(sources, recording(sources.complete(), read)), Given.SYSTEM);

        Set<String> documented = sources.keys().all().stream()
                .map(key -> "muster." + key)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(read).isEqualTo(documented);
    }

    @Test
    void theReferenceSaysWhatTheSettingsHaveAsDefaults() {
        NodeSettings settings = Given.settings();
        assertThat(settings.remote()).isEqualTo(RemoteSettings.defaults());
        assertThat(settings.cluster()).isEqualTo(ClusterSettings.defaults());
        assertThat(settings.rejoin()).isEqualTo(RejoinSettings.defaults());
        assertThat(settings.discovery()).isEqualTo(DiscoverySettings.defaults());
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void everyKeyChangesSomethingAndEverythingCanBeChanged() {
        SortedMap<String, String> plain = components(Given.settings());
        SortedMap<String, Sample> samples = samples();
        Set<String> reached = new TreeSet<>();
        samples.forEach((key, sample) -> {
            // What a key needs around it is there in both, so that only the key itself makes the difference.
            SortedMap<String, String> before = components(Given.settings(sample.around()));
            SortedMap<String, String> after = components(Given.settings(sample.around(), sample.line()));
            assertThat(difference(before, after)).as("what %s changes", key).isNotEmpty();
            reached.addAll(difference(plain, after));
        });

        assertThat(samples.keySet())
                .isEqualTo(new Sources(ConfigFactory.empty()).keys().all());
        assertThat(reached).containsAll(plain.keySet());
        List<String> strategies = Arrays.stream(DowningStrategy.class.getPermittedSubclasses())
                .flatMap(type -> Arrays.stream(type.getRecordComponents())
                        .map(component ->
                                "cluster.downing.strategy." + type.getSimpleName() + "." + component.getName()))
                .filter(name -> !name.contains("KeepMajority"))
                .toList();
        assertThat(reached).containsAll(strategies);
    }

    @Test
    void everyKeyIsDocumentedByAComment() {
        Sources sources = new Sources(ConfigFactory.empty());
        List<String> silent = sources.keys().all().stream()
                .filter(key -> !isDocumented(sources.reference(), "muster." + key))
                .toList();
        assertThat(silent).isEmpty();
    }

    /** By a comment of its own, or by that of the lines or the section it stands in. */
    private static boolean isDocumented(Config reference, String key) {
        String parent = key.substring(0, key.lastIndexOf('.'));
        return hasComment(reference, key)
                || hasComment(reference, parent)
                || reference.getObject(parent).values().stream()
                        .anyMatch(value -> !value.origin().comments().isEmpty());
    }

    private static boolean hasComment(Config reference, String path) {
        return !reference.getValue(path).origin().comments().isEmpty();
    }

    private static Config recording(Config config, Set<String> read) {
        return (Config) Proxy.newProxyInstance(
                KeysTest.class.getClassLoader(), new Class<?>[] {Config.class}, (proxy, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof String path) {
                        read.add(path);
                    }
                    try {
                        return method.invoke(config, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    /** For each key a line that changes it, and the lines without which it would be refused or not matter. */
    private static SortedMap<String, Sample> samples() {
        SortedMap<String, Sample> lines = new TreeMap<>();
        String tls = "muster.remote.tls { certificate = c, key = k, trusted = t }";
        Map.of(
                        "remote.protocol-name", "pekko",
                        "remote.accept-protocol-names", "[akka]",
                        "remote.insecure", "on",
                        "remote.artery.canonical.hostname", "localhost",
                        "remote.artery.canonical.port", "2551",
                        "remote.artery.bind.hostname", "localhost",
                        "remote.artery.bind.port", "2552",
                        "remote.artery.large-message-destinations", "[\"/user/files\"]")
                .forEach((key, value) -> put(lines, key, value));
        for (String file : List.of("certificate", "key", "trusted", "check-files-every")) {
            put(lines, "remote.tls." + file, "3m", tls);
        }
        for (String size : List.of("maximum-frame-size", "maximum-large-frame-size", "outbound-message-queue-bytes")) {
            String large = "muster.remote.artery.advanced.maximum-large-frame-size = 2 MiB";
            put(lines, "remote.artery.advanced." + size, "1 MiB", size.contains("large") ? "" : large);
        }
        for (String time : List.of(
                "handshake-timeout",
                "tcp.connection-timeout",
                "outbound-restart-backoff",
                "outbound-restart-max-backoff",
                "stop-idle-outbound-after",
                "system-message-resend-interval",
                "give-up-system-message-after")) {
            put(lines, "remote.artery.advanced." + time, "4s");
        }
        put(lines, "remote.artery.advanced.system-message-buffer-size", "77");
        put(lines, "remote.artery.advanced.compression.enabled", "off");
        addClusterSamples(lines);
        addDiscoverySamples(lines);
        return lines;
    }

    private static void addClusterSamples(SortedMap<String, Sample> lines) {
        put(lines, "cluster.seed-nodes", "[\"127.0.0.1:2551\"]");
        put(lines, "cluster.roles", "[backend]");
        put(lines, "cluster.role", "{ backend.min-nr-of-members = 2 }");
        put(lines, "cluster.app-version", "1.2.3");
        put(lines, "cluster.wire-version", "2");
        put(lines, "cluster.gossip-different-view-probability", "0.5");
        put(lines, "cluster.failure-detector.threshold", "12");
        for (String number : List.of(
                "min-nr-of-members",
                "reduce-gossip-different-view-probability",
                "gossip-burst",
                "gossip-partners-above",
                "partitions.load-asked-at-once",
                "rejoin.max-per-hour",
                "failure-detector.max-sample-size",
                "failure-detector.monitored-by-nr-of-members")) {
            put(lines, "cluster." + number, "3");
        }
        for (String time : List.of(
                "seed-node-timeout",
                "retry-unsuccessful-join-after",
                "island-check-interval",
                "allow-weakly-up-members",
                "gossip-interval",
                "gossip-time-to-live",
                "down-removal-margin",
                "partitions.load-interval",
                "partitions.scaling-interval",
                "prune-gossip-tombstones-after",
                "auto-down-unreachable-after",
                "failure-detector.heartbeat-interval",
                "failure-detector.min-std-deviation",
                "failure-detector.acceptable-heartbeat-pause",
                "failure-detector.expected-response-after",
                "split-brain-resolver.stable-after")) {
            put(lines, "cluster." + time, "4s");
        }
        put(lines, "cluster.rejoin.enabled", "on");
        String quorum = RESOLVER + "static-quorum.quorum-size = 2";
        put(lines, "cluster.split-brain-resolver.active-strategy", "down-all");
        put(lines, "cluster.split-brain-resolver.minimal-cut", "off");
        put(lines, "cluster.split-brain-resolver.down-all-when-unstable", "on");
        put(lines, "cluster.split-brain-resolver.keep-majority.role", "core");
        put(lines, "cluster.split-brain-resolver.static-quorum.quorum-size", "3", chosen("static-quorum"), quorum);
        put(lines, "cluster.split-brain-resolver.static-quorum.role", "core", chosen("static-quorum"), quorum);
        put(lines, "cluster.split-brain-resolver.keep-oldest.down-if-alone", "off", chosen("keep-oldest"));
        put(lines, "cluster.split-brain-resolver.keep-oldest.role", "core", chosen("keep-oldest"));
    }

    private static void addDiscoverySamples(SortedMap<String, Sample> lines) {
        String name = "muster.discovery.dns.name = nodes.test";
        put(lines, "discovery.method", "dns", name);
        String[] around = {"muster.discovery.method = dns", name};
        put(lines, "discovery.dns.name", "others.test", around);
        put(lines, "discovery.dns.type", "srv", around);
        put(lines, "discovery.dns.port", "2551", around);
        put(lines, "discovery.dns.port-name", "muster", around);
        put(lines, "discovery.dns.protocol", "udp", around);
        put(lines, "discovery.dns.servers", "[\"127.0.0.1:5353\"]", around);
        put(lines, "discovery.dns.timeout", "1s", around);
        put(lines, "discovery.dns.required-results", "2", around);
        put(lines, "discovery.dns.max-results", "7", around);
    }

    private static String chosen(String strategy) {
        return RESOLVER + "active-strategy = " + strategy;
    }

    private static void put(SortedMap<String, Sample> lines, String key, String value, String... around) {
        lines.put(key, new Sample("muster." + key + " = " + value, String.join("\n", around)));
    }

    private record Sample(String line, String around) {}

    private static Set<String> difference(SortedMap<String, String> one, SortedMap<String, String> other) {
        Set<String> different = new TreeSet<>(one.keySet());
        different.addAll(other.keySet());
        different.removeIf(name -> Optional.ofNullable(one.get(name)).equals(Optional.ofNullable(other.get(name))));
        return different;
    }

    private static SortedMap<String, String> components(NodeSettings settings) {
        SortedMap<String, String> components = new TreeMap<>();
        collect("", settings, components);
        components.remove("warnings");
        return components;
    }

    private static void collect(String path, Object value, SortedMap<String, String> components) {
        Object content = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (content instanceof Record settings) {
            String inside = content instanceof DowningStrategy
                    ? path + "." + content.getClass().getSimpleName()
                    : path;
            for (RecordComponent component : settings.getClass().getRecordComponents()) {
                String name = inside.isEmpty() ? component.getName() : inside + "." + component.getName();
                collect(name, valueOf(settings, component), components);
            }
            if (content instanceof DowningStrategy) {
                components.put(path, content.getClass().getSimpleName());
            }
        } else {
            components.put(path, String.valueOf(content));
        }
    }

    private static Object valueOf(Record settings, RecordComponent component) {
        try {
            return component.getAccessor().invoke(settings);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }
}

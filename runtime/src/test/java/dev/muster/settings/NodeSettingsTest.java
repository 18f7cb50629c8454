package dev.muster.settings;

import static dev.muster.settings.Given.problem;
import static dev.muster.settings.Given.problems;
import static dev.muster.settings.Given.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.NodeAddress;
import dev.muster.settings.ConfigurationException.Problem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be written, and what is said about what cannot. */
class NodeSettingsTest {

    @Test
    void withoutAnyConfigurationANodeIsAloneOnLoopback() {
        NodeSettings settings = settings();
        assertThat(settings.remote().host()).isEqualTo("127.0.0.1");
        assertThat(settings.cluster().join().seedNodes()).isEmpty();
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void everythingThatIsWrongIsSaidAtOnce() {
        List<Problem> problems = problems(
                "muster.cluster.gossip-interval = soon",
                "muster.cluster.failure-detector.threshold = 0",
                "muster.cluster.split-brain-resolver.active-strategy = keep-youngest",
                "muster.remote.artery.canonical.port = 70000",
                "muster.remote.artery.advanced.maximum-frame-size = 1 KiB",
                "muster.cluster.role.backend.min-nr-of-members = 0",
                "muster.discovery.method = magic");
        assertThat(problems)
                .extracting(Problem::path)
                .containsExactlyInAnyOrder(
                        "muster.cluster.gossip-interval",
                        "muster.cluster.failure-detector.threshold",
                        "muster.cluster.split-brain-resolver.active-strategy",
                        "muster.remote.artery.canonical.port",
                        "muster.remote.artery.advanced.maximum-frame-size",
                        "muster.cluster.role.backend.min-nr-of-members",
                        "muster.discovery.method");
    }

    @Test
    void aProblemNamesKeyValuePlaceAndRemedy() {
        assertThatThrownBy(() -> NodeSettings.from(
                        ConfigFactory.parseString(
                                "muster {\n cluster.gossip-interval = soon\n}",
                                ConfigParseOptions.defaults().setOriginDescription("application.conf")),
                        "Shop"))
                .isInstanceOf(ConfigurationException.class)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 thing is wrong")
                .hasMessageContaining("muster.cluster.gossip-interval = \"soon\" (application.conf: 2): "
                        + "must be a positive duration; write a number with its unit, such as 500ms, 3s or 1h");
    }

    @ParameterizedTest
    @CsvSource({
        "remote.protocol-name, '\"a b\"'",
        "remote.accept-protocol-names, '[\"://\"]'",
        "remote.insecure, perhaps",
        "remote.artery.canonical.hostname, '\"\"'",
        "remote.artery.canonical.hostname, '\"<getHostAddress>\"'",
        "remote.artery.canonical.hostname, '\"0.0.0.0\"'",
        "remote.artery.bind.hostname, '\"a b\"'",
        "remote.artery.bind.port, -1",
        "remote.artery.large-message-destinations, [files]",
        "remote.artery.advanced.maximum-large-frame-size, 100 KiB",
        "remote.artery.advanced.maximum-frame-size, 4 GiB",
        "remote.artery.advanced.outbound-restart-max-backoff, 1ms",
        "remote.artery.advanced.handshake-timeout, -1s",
        "remote.artery.advanced.handshake-timeout, 100000d",
        "remote.tls.key, '\"\"\"-----BEGIN PRIVATE KEY-----\"\"\"'",
        "remote.tls, off",
        "cluster.seed-nodes, one",
        "cluster.seed-nodes, '[\"127.0.0.1\"]'",
        "cluster.seed-nodes, '[\"127.0.0.1:0\"]'",
        "cluster.seed-nodes, '[\"http://Shop@127.0.0.1:2551\"]'",
        "cluster.roles, [dc-a dc-b]",
        "cluster.roles, '[dc-a, dc-b]'",
        "cluster.role, 5",
        "cluster.role.backend, 5",
        "cluster.role.backend.min-nr-of-members, 1.5",
        "cluster.app-version, '\"\"'",
        "cluster.gossip-different-view-probability, 1.1",
        "cluster.gossip-burst, 101",
        "cluster.gossip-partners-above, 0",
        "cluster.allow-weakly-up-members, maybe",
        "cluster.allow-weakly-up-members, 0s",
        "cluster.prune-gossip-tombstones-after, 1s",
        "cluster.auto-down-unreachable-after, -1s",
        "cluster.failure-detector, 8",
        "cluster.failure-detector.acceptable-heartbeat-pause, -1s",
        "cluster.split-brain-resolver.active-strategy, auto-down",
        "cluster.split-brain-resolver.active-strategy, static-quorum",
        "cluster.split-brain-resolver.stable-after, 0s",
        "cluster.split-brain-resolver.minimal-cut, 3",
        "cluster.rejoin.max-per-hour, 0",
        "discovery.method, dns",
        "discovery.dns.name, '\"..\"'",
        "discovery.dns.type, mx",
        "discovery.dns.servers, [localhost]",
        "discovery.dns.max-results, 0",
        "discovery.dns.required-results, 200",
    })
    void aValueThatCannotBeIsRefused(String key, String value) {
        assertThat(problem("muster." + key + " = " + value).path()).startsWith("muster.");
    }

    @Test
    void anUnknownKeyIsWarnedAboutWithTheNearestOne() {
        assertThat(settings("muster.cluster.seed-node = []").warnings())
                .singleElement()
                .asString()
                .contains("muster.cluster.seed-node (")
                .contains("did you mean muster.cluster.seed-nodes?");
        assertThat(settings("muster.cluster.threshold = 9").warnings())
                .singleElement()
                .asString()
                .contains("did you mean muster.cluster.failure-detector.threshold?");
        assertThat(settings("muster.remote.entirely.different = 9").warnings())
                .singleElement()
                .asString()
                .contains("is no key of Muster")
                .doesNotContain("did you mean");
        assertThat(settings("muster.cluster.role.backend.min-nr-of-nodes = 2").warnings())
                .singleElement()
                .asString()
                .contains("did you mean muster.cluster.role.backend.min-nr-of-members?");
    }

    @Test
    void keysOfOtherSectionsAreNobodysBusinessHere() {
        assertThat(settings("muster.actor.ask-timeout = 1s", "muster.management.x = 1", "mine.x = 1")
                        .warnings())
                .isEmpty();
    }

    @Test
    void aWarningNeverShowsTheValueOfAnUnknownKey() {
        assertThat(settings("muster.remote.tls.key-password = hunter2")
                        .warnings()
                        .toString())
                .contains("key-password")
                .doesNotContain("hunter2");
    }

    @Test
    void aKeyWrittenInPlaceOfItsFileIsNotShown() {
        assertThat(problem("muster.remote.tls.key = \"\"\"-----BEGIN PRIVATE KEY-----\nc2VjcmV0\"\"\"")
                        .toString())
                .contains("muster.remote.tls.key")
                .doesNotContain("c2VjcmV0");
    }

    @Test
    void tlsNeedsAllOfItsFiles() {
        assertThat(problems("muster.remote.tls.certificate = node.pem"))
                .extracting(Problem::path)
                .containsExactly("muster.remote.tls.key", "muster.remote.tls.trusted");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "muster.remote.artery.canonical.hostname = \"10.0.0.1\"",
                "muster.remote.artery.canonical.hostname = node1",
                "muster.remote.artery.canonical.hostname = localhost.example.org",
                "muster.remote.artery.canonical.hostname = \"127.0.0.1.example.org\"",
                "muster.remote.artery.bind.hostname = \"0.0.0.0\"",
            })
    void whatOthersCanReachNeedsTlsOrTheUsersWord(String line) {
        assertThat(problem(line).remedy()).contains("there is no TLS").contains("muster.remote.insecure = on");
        assertThat(settings(line, "muster.remote.insecure = on").warnings())
                .singleElement()
                .asString()
                .contains("muster.remote.insecure is on");
        assertThat(settings(line, "muster.remote.tls { certificate = c, key = k, trusted = t }")
                        .warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.9.10", "localhost", "LOCALHOST", "::1", "[::1]"})
    void loopbackNeedsNoTls(String host) {
        assertThat(settings("muster.remote.artery.canonical.hostname = \"" + host + "\"")
                        .warnings())
                .isEmpty();
    }

    @Test
    void seedsAreCompletedAndTranslated() {
        NodeSettings settings = settings(
                "muster.cluster.seed-nodes = [\"127.0.0.1:2551\", \"muster://Shop@localhost:2552\", \"[::1]:2553\"]");
        assertThat(settings.cluster().join().seedNodes())
                .containsExactly(
                        new NodeAddress("muster", "Shop", "127.0.0.1", 2551),
                        new NodeAddress("muster", "Shop", "localhost", 2552),
                        new NodeAddress("muster", "Shop", "[::1]", 2553));
        assertThat(settings.warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"akka", "pekko", "akka.tcp"})
    void seedsOfAnotherProtocolAreTakenWithAWarning(String protocol) {
        NodeSettings settings = settings("muster.cluster.seed-nodes = [\"" + protocol + "://Shop@127.0.0.1:2551\"]");
        assertThat(settings.cluster().join().seedNodes())
                .containsExactly(new NodeAddress("muster", "Shop", "127.0.0.1", 2551));
        assertThat(settings.warnings()).singleElement().asString().contains("muster.remote.protocol-name");
    }

    @Test
    void aSeedInAnotherSystemIsRefusedByName() {
        assertThat(problem("muster.cluster.seed-nodes = [\"muster://Stock@127.0.0.1:2551\", \"127.0.0.1:2552\"]")
                        .remedy())
                .contains("muster://Stock@127.0.0.1:2551")
                .contains("called Stock")
                .contains("called Shop");
    }

    @Test
    void seedsMayComeOneByOneAsSystemPropertiesDo() {
        NodeSettings settings = NodeSettings.from(
                ConfigFactory.parseMap(Map.of(
                        "muster.cluster.seed-nodes.0", "127.0.0.1:2551",
                        "muster.cluster.seed-nodes.1", "127.0.0.1:2552")),
                "Shop");
        assertThat(settings.cluster().join().seedNodes()).hasSize(2);
    }

    @Test
    void aLoopbackNodeWithSeedsElsewhereIsWarned() {
        assertThat(settings("muster.cluster.seed-nodes = [\"10.0.0.1:2551\"]").warnings())
                .singleElement()
                .asString()
                .contains("10.0.0.1:2551")
                .contains("canonical.hostname");
    }

    @Test
    void autoDownIsWarnedAboutAndNeverMeetsAResolver() {
        NodeSettings settings = settings("muster.cluster.auto-down-unreachable-after = 10s");
        assertThat(settings.cluster().downing().strategy())
                .isEqualTo(new DowningStrategy.AutoDown(Duration.ofSeconds(10)));
        assertThat(settings.warnings()).singleElement().asString().contains("many clusters of one node");

        for (String strategy : List.of("keep-majority", "keep-oldest", "down-all", "manual")) {
            assertThat(problem(
                                    "muster.cluster.auto-down-unreachable-after = 10s",
                                    "muster.cluster.split-brain-resolver.active-strategy = " + strategy)
                            .remedy())
                    .contains("cannot be used together with muster.cluster.split-brain-resolver.active-strategy");
        }
        assertThat(settings(
                                "muster.cluster.auto-down-unreachable-after = off",
                                "muster.cluster.split-brain-resolver.active-strategy = keep-oldest")
                        .cluster()
                        .downing()
                        .strategy())
                .isEqualTo(new DowningStrategy.KeepOldest(true, ""));
    }

    @Test
    void weaklyUpCanBeOffOnOrADuration() {
        assertThat(weaklyUpAfter("off")).isEmpty();
        assertThat(weaklyUpAfter("on")).contains(Duration.ofSeconds(7));
        assertThat(weaklyUpAfter("2s")).contains(Duration.ofSeconds(2));
    }

    private static Optional<Duration> weaklyUpAfter(String value) {
        return settings("muster.cluster.allow-weakly-up-members = " + value)
                .cluster()
                .lifecycle()
                .weaklyUpAfter();
    }

    @Test
    void seedsAndLookupExcludeEachOther() {
        assertThat(problem(
                                "muster.cluster.seed-nodes = [\"127.0.0.1:2551\"]",
                                "muster.discovery { method = dns, dns.name = nodes.test }")
                        .remedy())
                .contains("keep one of the two");
    }

    @Test
    void nullMeansTheDefault() {
        assertThat(settings("muster.cluster.gossip-interval = null")
                        .cluster()
                        .gossip()
                        .interval())
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aConfigurationThatHasTheReferenceInItIsReadTheSame() {
        var loaded = ConfigFactory.parseString("muster.cluster.roles = [a]")
                .withFallback(ConfigFactory.defaultReference())
                .resolve();
        assertThat(NodeSettings.from(loaded, "Shop")).isEqualTo(settings("muster.cluster.roles = [a]"));
    }
}

package dev.muster.settings;

import static dev.muster.settings.Given.problem;
import static dev.muster.settings.Given.settings;
import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.muster.core.membership.DowningStrategy;
import dev.muster.core.state.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody brings the configuration of an Akka or Pekko application along. */
class OlderSectionTest {

    private static final String RESOLVER =
            "pekko.cluster.downing-provider-class = org.apache.pekko.cluster.sbr.SplitBrainResolverProvider";

    @ParameterizedTest
    @ValueSource(strings = {"akka", "pekko"})
    void anExistingSectionIsUsed(String root) {
        NodeSettings settings = settings(root + """
                 {
                  actor.provider = cluster
                  remote.artery.canonical { hostname = "127.0.0.1", port = 2551 }
                  remote.artery.advanced.outbound-message-queue-size = 5000
                  cluster {
                    seed-nodes = ["%1$s://Shop@127.0.0.1:2551", "%1$s://Shop@127.0.0.1:2552"]
                    gossip-interval = 2s
                    allow-weakly-up-members = off
                    role.backend.min-nr-of-members = 2
                    jmx.enabled = off
                    downing-provider-class = "%1$s.cluster.sbr.SplitBrainResolverProvider"
                    split-brain-resolver { active-strategy = keep-oldest, stable-after = 20s }
                  }
                }
                """.formatted(root));
        assertThat(settings.remote().protocolName()).isEqualTo(root);
        assertThat(settings.remote().port()).isEqualTo(2551);
        assertThat(settings.cluster().join().seedNodes())
                .containsExactly(
                        new NodeAddress(root, "Shop", "127.0.0.1", 2551),
                        new NodeAddress(root, "Shop", "127.0.0.1", 2552));
        assertThat(settings.cluster().gossip().interval()).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.cluster().lifecycle().weaklyUpAfter()).isEmpty();
        assertThat(settings.cluster().lifecycle().minNrOfMembersPerRole()).containsEntry("backend", 2);
        assertThat(settings.cluster().downing().strategy()).isEqualTo(new DowningStrategy.KeepOldest(true, ""));
        assertThat(settings.cluster().downing().stableAfter()).contains(Duration.ofSeconds(20));

        assertThat(settings.warnings()).hasSize(2);
        assertThat(settings.warnings().get(0))
                .contains("the section " + root + " is used where muster says nothing")
                .contains(root + ".cluster.seed-nodes")
                .contains(root + ".cluster.gossip-interval");
        assertThat(settings.warnings().get(1))
                .contains("ignored")
                .doesNotContain(root + ".actor.provider")
                .contains(root + ".cluster.jmx.enabled")
                .contains(root + ".remote.artery.advanced.outbound-message-queue-size")
                .doesNotContain("gossip-interval");
    }

    @Test
    void whatMusterSaysWins() {
        NodeSettings settings = settings(
                "pekko.cluster { gossip-interval = 2s, min-nr-of-members = 3 }",
                "muster.cluster.gossip-interval = 3s",
                "muster.remote.protocol-name = muster",
                RESOLVER);
        assertThat(settings.cluster().gossip().interval()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.cluster().lifecycle().minNrOfMembers()).isEqualTo(3);
        assertThat(settings.remote().protocolName()).isEqualTo("muster");
        assertThat(settings.warnings().get(0)).contains("min-nr-of-members").doesNotContain("gossip-interval");
    }

    @Test
    void aProblemThereIsNamedAsItWasWritten() {
        assertThat(problem("pekko.cluster.gossip-interval = soon", RESOLVER).path())
                .isEqualTo("pekko.cluster.gossip-interval");
        assertThat(problem("akka.remote.netty.tcp.port = high").path()).isEqualTo("akka.remote.netty.tcp.port");
    }

    @Test
    void defaultsOfOtherLibrariesAreNobodysWish(@TempDir Path directory) throws IOException {
        Path reference = directory.resolve("reference.conf");
        Files.writeString(reference, "pekko { cluster { gossip-interval = 5s, roles = [x] }, version = 1 }");
        Config onTheClassPath = ConfigFactory.parseFile(reference.toFile());
        NodeSettings settings = NodeSettings.from(onTheClassPath, "Shop");
        assertThat(settings).isEqualTo(settings());

        Config written = ConfigFactory.parseString("pekko.cluster.min-nr-of-members = 2\n" + RESOLVER);
        NodeSettings both = NodeSettings.from(written.withFallback(onTheClassPath), "Shop");
        assertThat(both.cluster().gossip().interval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(both.cluster().lifecycle().minNrOfMembers()).isEqualTo(2);
    }

    @Test
    void whereClassicRemotingListenedIsUnderstood() {
        assertThat(settings("akka.remote.netty.tcp.port = 2551").remote().port())
                .isEqualTo(2551);
        assertThat(settings("akka.remote.netty.tcp.port = 2551", "akka.remote.artery.canonical.port = 2552")
                        .remote()
                        .port())
                .isEqualTo(2552);
    }

    @Test
    void anUnsetDowningProviderMeansByHandToo() {
        NodeSettings settings = settings(
                "pekko.cluster.min-nr-of-members = 3",
                "pekko.cluster.split-brain-resolver.active-strategy = keep-oldest");
        assertThat(settings.cluster().downing().strategy()).isEqualTo(new DowningStrategy.Manual());
        assertThat(settings.warnings().get(0)).contains("pekko.cluster.downing-provider-class is not set");
    }

    @Test
    void aStrategyBelowMusterCountsWithoutAProvider() {
        assertThat(settings(
                                "pekko.cluster.min-nr-of-members = 3",
                                "muster.cluster.split-brain-resolver.active-strategy = keep-majority")
                        .cluster()
                        .downing()
                        .strategy())
                .isEqualTo(new DowningStrategy.KeepMajority(""));
    }

    @Test
    void anEmptyDowningProviderMeansByHand() {
        assertThat(settings("pekko.cluster.downing-provider-class = \"\"")
                        .cluster()
                        .downing()
                        .strategy())
                .isEqualTo(new DowningStrategy.Manual());
    }

    @Test
    void anotherDowningProviderNeedsAStrategy() {
        String custom = "pekko.cluster.downing-provider-class = com.example.Mine";
        assertThat(problem(custom).remedy()).contains("muster.cluster.split-brain-resolver.active-strategy");
        assertThat(settings(custom, "muster.cluster.split-brain-resolver.active-strategy = down-all")
                        .cluster()
                        .downing()
                        .strategy())
                .isEqualTo(new DowningStrategy.DownAll());
    }

    @Test
    void theResolverMeetsNoAutoDown() {
        assertThat(problem(RESOLVER, "muster.cluster.auto-down-unreachable-after = 5s")
                        .remedy())
                .contains("cannot be used together with pekko.cluster.downing-provider-class");
    }

    @Test
    void theProviderMayBeWrittenBelowMusterToo() {
        NodeSettings settings = settings(
                "muster.cluster.downing-provider-class = org.apache.pekko.cluster.sbr.SplitBrainResolverProvider");
        assertThat(settings.cluster().downing().strategy()).isEqualTo(new DowningStrategy.KeepMajority(""));
        assertThat(settings.warnings()).isEmpty();
    }

    @Test
    void tlsThereIsNotForgottenHere() {
        String tls = "pekko.remote.artery.transport = tls-tcp";
        assertThat(problem(tls).remedy()).contains("muster.remote.tls");
        assertThat(settings(tls, "muster.remote.tls { certificate = c, key = k, trusted = t }")
                        .warnings())
                .isEmpty();
        assertThat(settings("pekko.remote.artery.transport = aeron-udp").warnings())
                .singleElement()
                .asString()
                .contains("Muster speaks TCP");
    }

    @Test
    void beingReachableWithoutTlsIsSaidToMusterItself() {
        assertThat(problem("pekko.remote { insecure = on, artery.canonical.hostname = node1 }")
                        .path())
                .isEqualTo("pekko.remote.artery.canonical.hostname");
    }

    @Test
    void ofTwoSectionsOneIsUsed() {
        NodeSettings settings = settings(RESOLVER, "pekko.cluster.min-nr-of-members = 2", "akka.cluster.roles = [a]");
        assertThat(settings.remote().protocolName()).isEqualTo("pekko");
        assertThat(settings.cluster().join().roles()).doesNotContain("a");
        assertThat(settings.warnings().toString()).contains("the section akka is ignored");
    }

    @Test
    void aSectionWithoutKeysForUsDoesNotStandBeforeTheOther() {
        NodeSettings settings = settings(
                "pekko.loglevel = INFO",
                "akka.cluster.roles = [a]",
                "akka.cluster.downing-provider-class = akka.cluster.sbr.SplitBrainResolverProvider");
        assertThat(settings.remote().protocolName()).isEqualTo("akka");
        assertThat(settings.cluster().join().roles()).contains("a");
    }

    @Test
    void aSectionWithoutKeysForUsChangesNothing() {
        NodeSettings settings = settings("akka.loglevel = INFO");
        assertThat(settings.remote().protocolName()).isEqualTo("muster");
        assertThat(settings.warnings()).singleElement().asString().contains("ignored: akka.loglevel");
    }
}

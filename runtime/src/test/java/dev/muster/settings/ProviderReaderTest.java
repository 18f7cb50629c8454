package dev.muster.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderReaderTest {

    @ParameterizedTest
    @CsvSource({
        "muster.actor.provider = cluster, true",
        "muster.actor.provider = local, false",
        "pekko.actor.provider = cluster, true",
        "akka.actor.provider = cluster, true",
        "akka.actor.provider = akka.cluster.ClusterActorRefProvider, true",
        "pekko.actor.provider = org.apache.pekko.cluster.ClusterActorRefProvider, true",
        "pekko.actor.provider = remote, false",
        "pekko.actor.provider = local, false",
        "pekko.loglevel = INFO, false"
    })
    void aSectionThatWasBroughtAlongCountsToo(String line, boolean expected) {
        assertThat(isNode(line)).isEqualTo(expected);
    }

    @Test
    void ourOwnKeyWins() {
        assertThat(isNode("muster.actor.provider = local", "pekko.actor.provider = cluster"))
                .isFalse();
        assertThat(isNode("muster.actor.provider = cluster", "pekko.actor.provider = local"))
                .isTrue();
    }

    /** The same one from which everything else is taken. */
    @Test
    void ofTwoSectionsTheOneThatSaysAnything() {
        assertThat(isNode("pekko.version = 1", "akka.actor.provider = cluster")).isTrue();
        assertThat(isNode("pekko.cluster.roles = [a]", "akka.actor.provider = cluster"))
                .isFalse();
        assertThat(isNode("pekko.actor.provider = cluster", "akka.actor.provider = local"))
                .isTrue();
    }

    @Test
    void anythingElseIsRefused() {
        assertThatThrownBy(() -> isNode("muster.actor.provider = remote"))
                .hasMessage("muster.actor.provider must be local or cluster, was \"remote\"");
    }

    private static boolean isNode(String... lines) {
        Config config = ConfigFactory.parseString(String.join("\n", lines));
        return ProviderReader.isClusterNode(
                config.withFallback(ConfigFactory.defaultReference()).resolve());
    }
}

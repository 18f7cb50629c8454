package dev.muster.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.muster.core.membership.DowningStrategy;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterSettingsTest {
    private static final ClusterSettings DEFAULTS = ClusterSettings.defaults();

    @Test
    void whatAllMembersMustShareIsCompared() {
        assertThat(DEFAULTS.joinConfiguration().values())
                .hasSize(5)
                .containsEntry("cluster.wire-version", "1")
                .containsEntry("cluster.split-brain-resolver.active-strategy", "keep-majority")
                .containsEntry("cluster.split-brain-resolver.stable-after", "by size")
                .containsEntry("cluster.split-brain-resolver.minimal-cut", "true")
                .containsEntry("cluster.split-brain-resolver.down-all-when-unstable", "false");
    }

    @Test
    void eachOfThemMakesADifference() {
        differs(DEFAULTS.withJoin(DEFAULTS.join().withWireVersion("2")), "wire-version is '1'");
        differs(DEFAULTS.withDowning(DEFAULTS.downing().withStrategy(new DowningStrategy.DownAll())), "strategy");
        differs(
                DEFAULTS.withDowning(DEFAULTS.downing().withStrategy(new DowningStrategy.KeepMajority("back"))),
                "'keep-majority of role back'");
        differs(DEFAULTS.withDowning(DEFAULTS.downing().withStableAfter(Optional.of(Duration.ofSeconds(9)))), "PT9S");
        differs(DEFAULTS.withDowning(DEFAULTS.downing().withMinimalCut(false)), "minimal-cut");
        differs(DEFAULTS.withDowning(DEFAULTS.downing().withDownAllWhenUnstable(true)), "down-all-when-unstable");
    }

    @Test
    void whatIsEachNodesOwnBusinessIsNotCompared() {
        ClusterSettings other = DEFAULTS.withGossip(DEFAULTS.gossip().withBurst(1))
                .withFailure(DEFAULTS.failure().withThreshold(12))
                .withLifecycle(DEFAULTS.lifecycle().withMinNrOfMembers(3));

        assertThat(DEFAULTS.joinConfiguration().differencesTo(other.joinConfiguration()))
                .isEmpty();
        assertThat(other.gossip().burst()).isEqualTo(1);
        assertThat(other.failure().threshold()).isEqualTo(12);
        assertThat(other.lifecycle().minNrOfMembers()).isEqualTo(3);
    }

    @Test
    void noPartMayBeMissing() {
        assertThatNullPointerException()
                .isThrownBy(() -> DEFAULTS.withGossip(null))
                .withMessage("gossip");
        assertThatNullPointerException()
                .isThrownBy(() -> DEFAULTS.withFailure(null))
                .withMessage("failure");
        assertThatNullPointerException()
                .isThrownBy(() -> DEFAULTS.withJoin(null))
                .withMessage("join");
        assertThatNullPointerException()
                .isThrownBy(() -> DEFAULTS.withLifecycle(null))
                .withMessage("lifecycle");
        assertThatNullPointerException()
                .isThrownBy(() -> DEFAULTS.withDowning(null))
                .withMessage("downing");
    }

    private static void differs(ClusterSettings other, String part) {
        assertThat(DEFAULTS.joinConfiguration().differencesTo(other.joinConfiguration()))
                .singleElement()
                .asString()
                .contains(part);
    }
}

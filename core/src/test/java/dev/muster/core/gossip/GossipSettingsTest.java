package dev.muster.core.gossip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class GossipSettingsTest {
    private static final GossipSettings DEFAULTS = GossipSettings.defaults();

    @Test
    void defaultsAreTheOnesThatUsersKnow() {
        assertThat(DEFAULTS)
                .isEqualTo(new GossipSettings(Duration.ofSeconds(1), 0.8, 400, Duration.ofSeconds(2), 8, 64));
    }

    @Test
    void eachPartCanBeExchangedAlone() {
        assertThat(DEFAULTS.withInterval(Duration.ofMillis(5))
                        .withDifferentViewProbability(0.1)
                        .withReduceDifferentViewProbability(7)
                        .withTimeToLive(Duration.ofMillis(6))
                        .withBurst(9)
                        .withPartnersAbove(10))
                .isEqualTo(new GossipSettings(Duration.ofMillis(5), 0.1, 7, Duration.ofMillis(6), 9, 10));
    }

    @Test
    void aBadValueIsNamedTogetherWithItsSetting() {
        refuses(() -> DEFAULTS.withInterval(Duration.ZERO), "gossip-interval must be positive, was PT0S");
        refuses(() -> DEFAULTS.withInterval(Duration.ofMillis(-1)), "gossip-interval must be positive, was PT-0.001S");
        refuses(
                () -> DEFAULTS.withDifferentViewProbability(-0.1),
                "gossip-different-view-probability must be between 0 and 1, was -0.1");
        refuses(
                () -> DEFAULTS.withDifferentViewProbability(1.1),
                "gossip-different-view-probability must be between 0 and 1, was 1.1");
        refuses(
                () -> DEFAULTS.withDifferentViewProbability(Double.NaN),
                "gossip-different-view-probability must be between 0 and 1, was NaN");
        refuses(
                () -> DEFAULTS.withReduceDifferentViewProbability(0),
                "reduce-gossip-different-view-probability is a number of nodes and must be at least 1, was 0");
        refuses(() -> DEFAULTS.withTimeToLive(Duration.ZERO), "gossip-time-to-live must be positive, was PT0S");
        refuses(
                () -> DEFAULTS.withTimeToLive(Duration.ofSeconds(-2)),
                "gossip-time-to-live must be positive, was PT-2S");
        refuses(() -> DEFAULTS.withBurst(-1), "gossip-burst must be between 0 and 100, was -1");
        refuses(() -> DEFAULTS.withBurst(101), "gossip-burst must be between 0 and 100, was 101");
        refuses(
                () -> DEFAULTS.withPartnersAbove(0),
                "gossip-partners-above is a number of nodes and must be at least 1, was 0");
    }

    @Test
    void valuesOnTheEdgeAreTaken() {
        assertThat(DEFAULTS.withDifferentViewProbability(0).differentViewProbability())
                .isZero();
        assertThat(DEFAULTS.withDifferentViewProbability(1).differentViewProbability())
                .isEqualTo(1);
        assertThat(DEFAULTS.withReduceDifferentViewProbability(1).reduceDifferentViewProbability())
                .isEqualTo(1);
        assertThat(DEFAULTS.withBurst(0).burst()).isZero();
        assertThat(DEFAULTS.withPartnersAbove(1).partnersAbove()).isEqualTo(1);
        assertThat(DEFAULTS.withBurst(100).burst()).isEqualTo(100);
    }

    private static void refuses(ThrowingCallable construction, String message) {
        assertThatIllegalArgumentException().isThrownBy(construction).withMessage(message);
    }
}

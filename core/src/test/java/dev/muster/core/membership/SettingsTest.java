package dev.muster.core.membership;

import static dev.muster.core.Nodes.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Every bad value is refused with the setting and the value in the message. */
class SettingsTest {
    private static final LifecycleSettings LIFECYCLE = LifecycleSettings.defaults();
    private static final JoinSettings JOIN = JoinSettings.defaults();

    @Test
    void lifecycleDefaultsAreTheOnesThatUsersKnow() {
        assertThat(LIFECYCLE)
                .isEqualTo(new LifecycleSettings(
                        1, new TreeMap<>(), Optional.of(Duration.ofSeconds(7)), Duration.ofHours(24)));
    }

    @Test
    void badLifecycleValuesAreNamed() {
        refuses(() -> LIFECYCLE.withMinNrOfMembers(0), "min-nr-of-members must be at least 1, was 0");
        refuses(
                () -> LIFECYCLE.withMinNrOfMembersPerRole(new TreeMap<>(Map.of("back", 0))),
                "role.back.min-nr-of-members must be at least 1, was 0");
        refuses(
                () -> LIFECYCLE.withWeaklyUpAfter(Optional.of(Duration.ZERO)),
                "allow-weakly-up-members must be a positive duration or off, was PT0S");
        refuses(
                () -> LIFECYCLE.withWeaklyUpAfter(Optional.of(Duration.ofSeconds(-1))),
                "allow-weakly-up-members must be a positive duration or off, was PT-1S");
        refuses(
                () -> LIFECYCLE.withTombstoneRetention(Duration.ZERO),
                "prune-gossip-tombstones-after must be positive, was PT0S");
        refuses(
                () -> LIFECYCLE.withTombstoneRetention(Duration.ofSeconds(-1)),
                "prune-gossip-tombstones-after must be positive, was PT-1S");
        assertThat(LIFECYCLE.withWeaklyUpAfter(Optional.empty()).weaklyUpAfter())
                .isEmpty();
    }

    @Test
    void lifecyclePartsCanBeExchangedAlone() {
        TreeMap<String, Integer> perRole = new TreeMap<>(Map.of("back", 1));
        LifecycleSettings changed = LIFECYCLE
                .withMinNrOfMembers(3)
                .withMinNrOfMembersPerRole(perRole)
                .withWeaklyUpAfter(Optional.empty())
                .withTombstoneRetention(Duration.ofHours(1));
        assertThat(changed).isEqualTo(new LifecycleSettings(3, perRole, Optional.empty(), Duration.ofHours(1)));
        perRole.clear();
        assertThat(changed.minNrOfMembersPerRole()).containsEntry("back", 1);
    }

    @Test
    void joinDefaultsAreTheOnesThatUsersKnow() {
        assertThat(JOIN)
                .isEqualTo(new JoinSettings(
                        List.of(),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        List.of("dc-default", "muster-1"),
                        "0.0.0",
                        "1"));
    }

    @Test
    void badJoinValuesAreNamed() {
        refuses(() -> JOIN.withSeedNodeTimeout(Duration.ZERO), "seed-node-timeout must be positive, was PT0S");
        refuses(() -> join(-1, 1), "retry-unsuccessful-join-after must be positive, was PT-1S");
        refuses(() -> join(1, 0), "island-check-interval must be positive, was PT0S");
        refuses(
                () -> JOIN.withRoles(List.of("dc-a", "dc-b")),
                "a member has one data center, but its roles name several: [dc-a, dc-b]");
        refuses(
                () -> JOIN.withRoles(List.of("muster-2")),
                "the role muster-2 is Muster's own; choose one that does not begin with muster-");
    }

    private static JoinSettings join(int retrySeconds, int islandSeconds) {
        return new JoinSettings(
                List.of(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(retrySeconds),
                Duration.ofSeconds(islandSeconds),
                List.of(),
                "",
                "");
    }

    @Test
    void joinPartsCanBeExchangedAlone() {
        assertThat(JOIN.withSeedNodes(List.of(address("a"), address("b"), address("a")))
                        .withSeedNodeTimeout(Duration.ofSeconds(2))
                        .withRoles(List.of("r"))
                        .withWireVersion("2"))
                .isEqualTo(new JoinSettings(
                        List.of(address("a"), address("b")),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        List.of("dc-default", "muster-1", "r"),
                        "0.0.0",
                        "2"));
    }

    @Test
    void aStrategyIsDescribedWithAllThatMakesADifference() {
        assertThat(describe(new DowningStrategy.Manual())).isEqualTo("manual: manual");
        assertThat(describe(new DowningStrategy.DownAll())).isEqualTo("down-all: down-all");
        assertThat(describe(new DowningStrategy.AutoDown(Duration.ofSeconds(9))))
                .isEqualTo("auto-down: auto-down after PT9S");
        assertThat(describe(new DowningStrategy.StaticQuorum(3, ""))).isEqualTo("static-quorum: static-quorum of 3");
        assertThat(describe(new DowningStrategy.StaticQuorum(3, "back")))
                .isEqualTo("static-quorum: static-quorum of 3 of role back");
        assertThat(describe(new DowningStrategy.KeepMajority(""))).isEqualTo("keep-majority: keep-majority");
        assertThat(describe(new DowningStrategy.KeepMajority("back")))
                .isEqualTo("keep-majority: keep-majority of role back");
        assertThat(describe(new DowningStrategy.KeepOldest(true, ""))).isEqualTo("keep-oldest: keep-oldest");
        assertThat(describe(new DowningStrategy.KeepOldest(false, "back")))
                .isEqualTo("keep-oldest: keep-oldest even if alone of role back");
    }

    @Test
    void stableAfterGrowsWithTheLogarithmOfTheClusterUpToAHundredUnlessItIsSet() {
        DowningSettings defaults = DowningSettings.defaults();

        assertThat(defaults.stableAfterNanos(0)).isEqualTo(7_000_000_000L);
        assertThat(defaults.stableAfterNanos(5)).isEqualTo(7_000_000_000L);
        assertThat(defaults.stableAfterNanos(10)).isBetween(10_007_000_000L, 10_009_000_000L);
        assertThat(defaults.stableAfterNanos(100)).isEqualTo(20_000_000_000L);
        assertThat(defaults.stableAfterNanos(2000)).isEqualTo(20_000_000_000L);
        assertThat(defaults.withStableAfter(Optional.of(Duration.ofSeconds(3))).stableAfterNanos(100))
                .isEqualTo(3_000_000_000L);
    }

    private static String describe(DowningStrategy strategy) {
        return strategy.name() + ": " + strategy.description();
    }

    private static void refuses(ThrowingCallable construction, String message) {
        assertThatIllegalArgumentException().isThrownBy(construction).withMessage(message);
    }
}

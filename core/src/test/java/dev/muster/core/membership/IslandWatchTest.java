package dev.muster.core.membership;

import static dev.muster.core.Nodes.address;
import static dev.muster.core.Nodes.node;
import static dev.muster.core.StateBuilder.aState;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.ClusterEvent;
import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.Island;
import dev.muster.core.exchange.JoinConfiguration;
import dev.muster.core.exchange.JoinMessage;
import dev.muster.core.state.ClusterState;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IslandWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final ClusterState AB = aState().up("a", "b").build();

    private final Effects effects = new Effects();
    private final IslandWatch watch = new IslandWatch(
            node("a"),
            JoinSettings.defaults().withSeedNodes(List.of(address("a"), address("b"), address("c"), address("d"))),
            JoinConfiguration.UNKNOWN,
            100 * SECOND);

    @Test
    void nowAndThenOneMissingSeedIsAskedInTurn() {
        assertThat(watch.nextWakeUpNanos()).isEqualTo(110 * SECOND);
        watch.tick(AB, 110 * SECOND - 1, effects);
        assertThat(effects.list()).isEmpty();

        watch.tick(AB, 110 * SECOND, effects);
        assertThat(effects.list()).containsExactly(contact("c"));
        assertThat(watch.nextWakeUpNanos()).isEqualTo(120 * SECOND);
        watch.tick(AB, 120 * SECOND, effects);
        watch.tick(AB, 130 * SECOND, effects);
        assertThat(effects.list()).containsExactly(contact("c"), contact("d"), contact("c"));
    }

    @Test
    void aSeedThatCannotBeReachedIsMissingToo() {
        ClusterState state =
                aState().up("a", "b", "c", "d").unreachable("b", "c").build();
        watch.tick(state, 110 * SECOND, effects);

        assertThat(effects.list()).containsExactly(contact("c", state));
    }

    @Test
    void nobodyIsAskedWhenAllSeedsAreHere() {
        watch.tick(aState().up("a", "b", "c", "d").build(), 110 * SECOND, effects);

        assertThat(effects.list()).isEmpty();
    }

    @Test
    void withoutSeedsThereIsNothingToWatch() {
        IslandWatch none = new IslandWatch(node("a"), JoinSettings.defaults(), JoinConfiguration.UNKNOWN, 0);

        assertThat(none.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void twoSignsAWhileApartAreAnAlarm() {
        watch.onSignOfMember(AB, node("c"), Island.UNKNOWN, 0, effects);
        watch.onSignOfMember(AB, node("c"), Island.UNKNOWN, 5 * SECOND - 1, effects);
        assertThat(effects.list()).isEmpty();

        watch.onSignOfMember(AB, node("c"), Island.UNKNOWN, 5 * SECOND, effects);
        assertThat(effects.list())
                .containsExactly(new Effect.PublishEvent(new ClusterEvent.IslandSuspected(
                        address("c"),
                        "c:2552#3 says that it is a member, but this cluster of 2 does not know it: two clusters have "
                                + "one name, and the other should join this one",
                        false)));
        effects.clear();
        watch.onSignOfMember(AB, node("c"), Island.UNKNOWN, 5 * SECOND + 1, effects);
        assertThat(effects.list()).isEmpty();
        watch.onSignOfMember(AB, node("c"), Island.UNKNOWN, 10 * SECOND, effects);
        assertThat(effects.list()).hasSize(1);
    }

    @Test
    void membersRaiseNoAlarm() {
        for (int i = 0; i < 3; i++) {
            watch.onSignOfMember(AB, node("b"), Island.UNKNOWN, i * 100L * SECOND, effects);
        }

        assertThat(effects.list()).isEmpty();
    }

    @Test
    void whoCameInAfterAllIsForgotten() {
        ClusterState withC = aState().up("a", "b", "c").build();
        watch.onSignOfMember(AB, node("c"), Island.UNKNOWN, 0, effects);
        watch.onSignOfMember(withC, node("c"), Island.UNKNOWN, SECOND, effects);
        watch.onSignOfMember(AB, node("c"), Island.UNKNOWN, 100 * SECOND, effects);
        assertThat(effects.list()).isEmpty();

        watch.tick(withC, 110 * SECOND, effects);
        effects.clear();
        watch.onSignOfMember(AB, node("c"), Island.UNKNOWN, 200 * SECOND, effects);
        assertThat(effects.list()).isEmpty();
    }

    @Test
    void aFloodOfStrangersIsBounded() {
        for (int uid = 0; uid < 101; uid++) {
            watch.onSignOfMember(AB, node("c", uid), Island.UNKNOWN, 0, effects);
        }
        watch.onSignOfMember(
                AB, node("c", 0), Island.UNKNOWN, 100 * SECOND, effects); // was pushed out, so this is its first sign
        assertThat(effects.list()).isEmpty();

        watch.onSignOfMember(AB, node("c", 50), Island.UNKNOWN, 100 * SECOND, effects);
        assertThat(effects.list()).hasSize(1);
    }

    @Test
    void nobodyGivesWayToOneThatWasRemovedHoweverManyItStillCounts() {
        ClusterState removed = aState().up("a", "b").removed("c").build();
        watch.onSignOfMember(removed, node("c"), new Island(3, "a:2552"), 0, effects);
        watch.onSignOfMember(removed, node("c"), new Island(3, "a:2552"), 5 * SECOND, effects);

        assertThat(effects.list()).hasSize(1);
        assertThat(((Effect.PublishEvent) effects.list().get(0)).event())
                .isInstanceOfSatisfying(
                        ClusterEvent.IslandSuspected.class,
                        it -> assertThat(it.givesWay()).isFalse());
    }

    @Test
    void theSmallerClusterGivesWay() {
        watch.onSignOfMember(AB, node("c"), new Island(3, "c:2552"), 0, effects);
        watch.onSignOfMember(AB, node("c"), new Island(3, "c:2552"), 5 * SECOND, effects);

        assertThat(effects.list()).hasSize(1);
        assertThat(((Effect.PublishEvent) effects.list().get(0)).event())
                .isInstanceOfSatisfying(
                        ClusterEvent.IslandSuspected.class,
                        suspected -> assertThat(suspected.givesWay()).isTrue());
    }

    private static Effect contact(String to) {
        return contact(to, AB);
    }

    private static Effect contact(String to, ClusterState state) {
        return new Effect.SendMessage(
                address(to), new JoinMessage.SeedContact(JoinConfiguration.UNKNOWN, Optional.of(Island.of(state))));
    }
}

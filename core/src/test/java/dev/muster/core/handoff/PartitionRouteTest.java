package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateMessage.RouteAsked;
import dev.muster.core.handoff.GateMessage.RouteSwitched;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import org.junit.jupiter.api.Test;

/** Whom a sender tells that it knows the new host, and what it answers to an old one that asks. */
class PartitionRouteTest {
    private final GateWorld world = new GateWorld(4, HandoffPolicy.singleton(), HandoffSettings.defaults());

    private void ask(long move) {
        world.node(3).route.onAsked(GateWorld.id(1), new RouteAsked<>(move));
    }

    @Test
    void whoHearsOfANewHostTellsTheOldOneOnce() {
        PartitionEntry moving = world.moving(1, 2);
        world.learn(3, moving);
        assertThat(world.stream(3, 1)).isEmpty();
        PartitionEntry moved = world.moved(moving);
        world.learn(3, moved);
        assertThat(world.stream(3, 1)).containsExactly(new RouteSwitched<>(moved.epoch()));
    }

    @Test
    void whoHearsOfThePartitionOnlyAfterItsMoveTellsTheOldHostToo() {
        PartitionEntry moved = world.moved(world.moving(1, 2));
        world.learn(3, moved);
        assertThat(world.stream(3, 1)).containsExactly(new RouteSwitched<>(moved.epoch()));
        assertThat(world.stream(3, 2)).isEmpty();
    }

    @Test
    void whoHearsOfThePartitionWhileItMovesSaysNothing() {
        world.learn(3, world.moving(1, 2));
        assertThat(world.stream(3, 1)).isEmpty();
        assertThat(world.stream(3, 2)).isEmpty();
    }

    @Test
    void whoMissedAMoveTellsBothFormerHosts() {
        world.learn(3, world.row(4));
        PartitionEntry moved = world.moved(world.moving(1, 2));
        world.learn(3, moved);
        assertThat(world.stream(3, 4)).containsExactly(new RouteSwitched<>(moved.epoch()));
        assertThat(world.stream(3, 1)).containsExactly(new RouteSwitched<>(moved.epoch()));
    }

    // ---- When it is asked.

    @Test
    void whoHasHeardOfNothingOrOnlyOfWhatWasBeforeSaysNothing() {
        ask(1);
        PartitionEntry before = world.row(1);
        world.learn(3, before);
        ask(before.epoch() + 1);
        assertThat(world.stream(3, 1)).isEmpty();
    }

    @Test
    void whoKnowsOnlyThatTheMoveHasBegunSaysNothing() {
        PartitionEntry moving = world.moving(1, 2);
        world.learn(3, moving);
        ask(moving.epoch());
        PartitionEntry other = world.row(1, 4); // another instance has found a host
        world.learn(
                3,
                new PartitionEntry(
                        other.path(),
                        other.epoch(),
                        other.writer(),
                        other.spec(),
                        other.instances(),
                        false,
                        moving.move()));
        ask(moving.epoch());
        assertThat(world.stream(3, 1)).isEmpty();
    }

    @Test
    void whoKnowsThatTheMoveIsOverSaysSoAsOftenAsItIsAsked() {
        PartitionEntry moving = world.moving(1, 2);
        PartitionEntry moved = world.moved(moving);
        world.learn(3, moved);
        world.stream(3, 1).clear();
        ask(moving.epoch());
        ask(moving.epoch());
        assertThat(world.stream(3, 1)).hasSize(2).containsOnly(new RouteSwitched<>(moved.epoch()));
    }

    @Test
    void whoKnowsThatTheNextMoveHasBegunSaysThatTheOneBeforeIsOver() {
        PartitionEntry first = world.moving(1, 2);
        PartitionEntry next = world.moving(2, 4);
        world.learn(3, next);
        ask(first.epoch());
        assertThat(world.stream(3, 1)).containsExactly(new RouteSwitched<>(next.epoch()));
    }
}

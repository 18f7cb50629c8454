package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import org.junit.jupiter.api.Test;

/** Moves from hosts that cannot tell whether they are still members. */
class HeldHostsTest {
    private static final long SECOND = 1_000_000_000L;

    private static GateWorld hosted(HandoffPolicy policy) {
        return GateWorld.hosted(3, policy);
    }

    private static void hold(GateWorld world, int node, boolean held) {
        world.node(node).gate.onHeld(held, world.nowNanos);
    }

    @Test
    void oneThatMustBeAloneIsHandedOverOnlyWhenItMayActAgain() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        hold(world, 1, true);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(3).tell("1");
        world.arriveAll(3, 1);
        world.pass(SECOND);
        assertThat(world.node(1).isRetiring).isFalse();
        assertThat(world.stream(1, 2)).isEmpty();

        hold(world, 1, false);
        assertThat(world.node(1).isRetiring).isTrue();
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        world.learnAll(world.moved(moving));
        world.settle();
        assertThat(world.node(2).handled).containsExactly("1");
        assertThat(world.node(1).handled).isEmpty();
    }

    @Test
    void anyOtherIsHandedOverAllTheSame() {
        GateWorld world = hosted(HandoffPolicy.ordered());
        hold(world, 1, true);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
    }

    @Test
    void whoIsHeldForLongSaysSoAndDoesNotBeginAfterAll() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        hold(world, 1, true);
        world.learnAll(world.moving(1, 2));
        world.pass(HandoffSettings.defaults().migrationTimeout().toNanos() + SECOND);
        assertThat(world.node(1).reports).singleElement().asString().contains("may not be a member any more");

        hold(world, 1, false);
        world.settle();
        assertThat(world.node(1).reports).hasSize(1);
        assertThat(world.node(1).isRunning).isTrue();
        assertThat(world.node(2).isRunning).isFalse();
    }

    /** Taken over from one who has gone, and its instance does not start: what came with it must not be forgotten. */
    @Test
    void whatWaitsForAnInstanceThatDoesNotStartWaitsOnWhileItsHostIsHeld() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        world.learnAll(world.moving(1, 2));
        world.node(3).tell("1");
        world.arriveAll(3, 1);
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.remove(1);
        world.learnAll(world.row(2));
        world.node(2).isCreating = false;
        world.node(2).gate.onStartFailed("no database here", world.nowNanos);

        hold(world, 2, true);
        PartitionEntry again = world.moving(2, 3);
        world.learnAll(again);
        assertThat(world.node(2).gate.waiting()).containsExactly("1");
        hold(world, 2, false);
        world.settle();
        world.learnAll(world.moved(again));
        world.settle();
        assertThat(world.node(3).handled).containsExactly("1");
    }
}

package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.HandoffPolicy.Arrival;
import dev.muster.core.state.HandoffPolicy.Migration;
import dev.muster.core.state.HandoffPolicy.Update;
import dev.muster.core.state.PartitionEntry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Moves in which one of the two hosts is lost, or becomes one in another way. */
class HostsThatGoTest {
    private static final long SECOND = 1_000_000_000L;
    private static final HandoffPolicy SINGLETON = HandoffPolicy.singleton();

    @Test
    void whoHasGoneNeedNotSwitch() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.remove(3);
        world.learnAll(world.moved(moving));
        world.settle();
        assertThat(world.node(1).gate.isIdle()).isTrue();
        assertThat(world.node(2).gate.view()).isEmpty();
    }

    @Test
    void whenTheNewHostGoesTheOldOneGoesOnWithAllThatCame() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.node(3).tell("1");
        world.settle();
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.node(3).tell("2");
        world.node(3).tell("3");
        world.arriveAll(3, 1);
        world.arriveAll(1, 2);
        world.arriveAll(2, 1);
        world.remove(2);
        world.learnAll(world.row(1));
        world.settle();
        assertThat(world.node(1).stateAtStart).isEqualTo("1.");
        assertThat(world.handled(1)).containsExactly("1", "2", "3");
    }

    @Test
    void whenTheOldHostGoesTheNewOneGoesOnWithAllThatItWasGiven() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.node(3).tell("1");
        world.settle();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        world.node(3).tell("2");
        world.arriveAll(3, 1);
        world.arriveAll(1, 2);
        world.node(2).start();
        world.remove(1);
        assertThat(world.node(2).mailbox).isEmpty();
        world.learnAll(world.row(2));
        world.settle();
        assertThat(world.node(2).stateAtStart).isEqualTo("1.");
        assertThat(world.handled(2)).containsExactly("2");
    }

    @Test
    void anOldHostThatGoesHoldsNobodysMessagesBack() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        PartitionEntry moved = world.moved(moving);
        world.learn(3, moved);
        world.node(3).tell("x");
        world.arriveAll(3, 2);
        world.learn(2, moved);
        assertThat(world.node(2).mailbox).isEmpty();
        world.remove(1);
        world.settle();
        assertThat(world.handled(2)).containsExactly("x");
    }

    @Test
    void whatTheNewHostHadNotConfirmedIsTakenBackWhenItGoes() {
        GateWorld world = GateWorld.hosted(3, new HandoffPolicy(Migration.FORWARD, Arrival.PROCESS, Update.FORWARD));
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.node(3).tell("1");
        world.arriveAll(3, 1);
        world.remove(2);
        world.learnAll(world.row(3));
        world.settle();
        assertThat(world.handled(3)).containsExactly("1");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    /** The new host may be at work without knowing that it has gone, so whoever leads says when to begin again. */
    @Test
    void whoHasHandedOverBeginsAgainOnlyByAnotherRow() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        world.remove(2);
        world.node(3).tell("x");
        world.settle();
        world.pass(SECOND);
        assertThat(world.node(1).isCreating || world.node(1).isRunning).isFalse();
        PartitionEntry again = world.row(1);
        world.learnAll(again);
        world.settle();
        assertThat(world.node(1).epochAtStart).isEqualTo(again.epoch());
        assertThat(world.handled(1)).containsExactly("x");
    }

    /** It was to be tried again there; but somebody else has had it since. */
    @Test
    void oneThatHasFailedBeforeItMovedAwayIsNotTriedAgainWhenTheNewHostGoes() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.node(1).isRunning = false;
        world.node(1).gate.onEnded(world.nowNanos);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        world.remove(2);
        world.pass(5 * SECOND);
        assertThat(world.node(1).isCreating).isFalse();
    }

    @Test
    void whoHasNotHandedOverSaysSoWhenTheNewHostGoes() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        world.remove(2);
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " the new host has gone");
    }

    /** Of several instances one was to move, which was called off; then the one that was to get it became a host. */
    @ParameterizedTest
    @MethodSource("dev.muster.core.handoff.HandoffTest#policies")
    void oneThatBecomesAHostInAnotherWayIsAHostLikeAnyOther(HandoffPolicy policy) {
        GateWorld world = GateWorld.hosted(3, policy);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.pass(30 * SECOND);
        if (world.node(1).isRetiring) {
            world.node(1).retired();
        }
        world.arriveAll(1, 2);
        assertThat(world.node(1).reports).hasSize(1);
        world.learnAll(world.row(1, 2));
        world.stream(3, 2).addLast("x");
        world.settle();
        world.pass(2 * SECOND);
        world.settle();
        assertThat(world.node(1).isRunning).isTrue();
        assertThat(world.node(2).isRunning).isTrue();
        assertThat(world.handled(2)).containsExactly("x");
        assertThat(world.node(2).gate.view()).isEmpty();
    }

    /** The second move begins when the new host has all, but before the old one knows that it has. */
    @Test
    void whatTheNewHostHasTakenIsNotTakenBackWhenThePartitionMovesOn() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.node(3).tell("late");
        world.arriveAll(3, 1);
        world.learnAll(world.moved(moving));
        while (world.node(1).gate.view().isPresent() && !world.stream(1, 2).isEmpty()) {
            world.arriveAll(3, 1);
            world.arriveAll(2, 1);
            world.arriveAll(1, 1);
            world.arriveAll(1, 2);
        }
        world.stream(2, 1).clear(); // what was confirmed is lost
        world.node(2).workAll();
        assertThat(world.handled(2)).containsExactly("late");
        PartitionEntry movingOn = world.moving(2, 3);
        world.learnAll(movingOn);
        world.arriveAll(2, 3);
        world.stream(2, 1).clear();
        world.settle();
        world.learnAll(world.moved(movingOn));
        world.settle();
        world.pass(10 * SECOND);
        world.settle();
        assertThat(world.handled(3)).isEmpty();
        assertThat(world.node(1).gate.isIdle()).isTrue();
        assertThat(world.node(2).gate.isIdle()).isTrue();
    }

    @Test
    void whatTheNewHostDoesNotTakeAnyMoreGoesToWhereTheTableSays() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        PartitionEntry moved = world.moved(moving);
        world.learn(1, moved);
        world.learn(2, moved);
        world.node(3).tell("late");
        PartitionEntry elsewhere = world.row(3);
        world.learn(2, elsewhere);
        world.arriveAll(3, 1);
        world.arriveAll(1, 2); // which is no host any more
        world.learn(1, elsewhere);
        world.learn(3, elsewhere);
        world.settle();
        world.pass(10 * SECOND);
        world.settle();
        assertThat(world.handled(2)).isEmpty();
        assertThat(world.handled(3)).containsExactly("late");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void whatWasHandedOverIsNotDropped() {
        GateWorld world = GateWorld.hosted(3, SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 3, 1 << 20));
        for (int i = 0; i < 6; i++) {
            world.node(3).tell("m" + i);
        }
        world.arriveAll(3, 1);
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.arriveAll(1, 2);
        assertThat(world.node(2).dropped).isEmpty();
        world.remove(2);
        world.learnAll(world.row(1));
        world.settle();
        assertThat(world.handled(1)).containsExactly("m0", "m1", "m2", "m3", "m4", "m5");
    }
}

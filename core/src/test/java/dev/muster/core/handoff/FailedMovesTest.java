package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Moves that cannot be made, or not in time, and instances that stay where they are. */
class FailedMovesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final HandoffPolicy SINGLETON = HandoffPolicy.singleton();

    @Test
    void whatCannotLeaveItsStateStaysWhereItIs() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.node(3).tell("1");
        world.settle();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(3).tell("2");
        world.arriveAll(3, 1);
        world.node(1).notRetired("it is too large");
        world.node(3).tell("3");
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " it is too large");
        assertThat(world.handled(1)).containsExactly("1", "2", "3");
        world.pass(20 * SECOND);
        world.learnAll(world.row(1));
        world.settle();
        assertThat(world.node(1).gate.view()).isEmpty();
        assertThat(world.node(2).isCreating).isFalse();
        world.learnAll(world.moving(1, 2));
        world.settle();
        assertThat(world.node(2).stateAtStart).isEqualTo("1,2,3.");
    }

    @Test
    void whatCannotLeaveItsStateGoesOnAlsoWhenTheMoveWasCalledOffMeanwhile() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.learnAll(world.moving(1, 2));
        world.node(3).tell("1");
        world.arriveAll(3, 1);
        world.learnAll(world.row(1));
        world.node(3).tell("2");
        world.arriveAll(3, 1);
        world.node(1).notRetired("it is too large");
        world.settle();
        assertThat(world.handled(1)).containsExactly("1", "2");
    }

    @Test
    void oneThatEndsBeforeItsTurnIsGivenUpWithItsStateKept() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.node(3).tell("1");
        world.settle();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).start();
        assertThat(world.node(2).mayAct).isFalse();
        world.stream(2, 1).clear(); // the old host does not hear that it is ready
        world.node(2).isRunning = false;
        world.node(2).gate.onEnded(world.nowNanos);
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " it has ended before its turn came");
        world.learnAll(world.row(1));
        world.settle();
        assertThat(world.node(1).stateAtStart).isEqualTo("1.");
    }

    @Test
    void anInstanceThatCannotStartIsReported() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).isCreating = false;
        world.node(2).gate.onStartFailed("no disk", world.nowNanos);
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " no disk");
        world.learnAll(world.row(1));
        world.settle();
        assertThat(world.node(1).isRunning).isTrue();
        assertThat(world.node(2).gate.isIdle()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("dev.muster.core.handoff.HandoffTest#policies")
    void aNewHostThatDoesNotAnswerIsGivenUp(HandoffPolicy policy) {
        GateWorld world = GateWorld.hosted(3, policy, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        if (world.node(1).isRetiring) {
            world.node(1).retired();
        }
        world.pass(6 * SECOND);
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " the new host was not ready after 5000 ms");
        // Ready after all; but the leader has been told, and decides.
        world.settle();
        assertThat(world.node(1).reports).hasSize(1);
        assertThat(world.node(2).gate.acts()).isFalse();
        world.learnAll(world.row(1));
        world.settle();
        assertThat(world.node(1).isRunning).isTrue();
        assertThat(world.node(2).isRunning).isFalse();
    }

    @Test
    void eachStepHasTimeOfItsOwn() {
        GateWorld world = GateWorld.hosted(3, SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.pass(4 * SECOND);
        world.node(1).retired();
        world.pass(4 * SECOND);
        world.arriveAll(1, 2);
        world.arriveAll(2, 1);
        assertThat(world.node(2).isCreating).isTrue();
        world.pass(4 * SECOND);
        world.node(2).start();
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
    }

    /** Or a new host that never starts would be waited for as long as somebody sends. */
    @Test
    void messagesThatArriveThereAreNoProgress() {
        GateWorld world = GateWorld.hosted(3, SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        for (int i = 0; i < 6; i++) {
            world.node(3).tell("m" + i);
            world.arriveAll(3, 1);
            world.arriveAll(1, 2);
            world.arriveAll(2, 1);
            world.pass(SECOND);
        }
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " the new host was not ready after 5000 ms");
    }

    /** A move that was called off, while the instance was still at its message, is followed by another one. */
    @Test
    void aMoveThatCannotBeginIsGivenUpToo() {
        GateWorld world = GateWorld.hosted(3, SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
        PartitionEntry first = world.moving(1, 2);
        world.learnAll(first);
        world.pass(6 * SECOND);
        world.learnAll(world.row(1));
        PartitionEntry second = world.moving(1, 2);
        world.learnAll(second);
        world.pass(4 * SECOND);
        assertThat(world.node(1).reports).hasSize(1);
        world.pass(2 * SECOND);
        world.pass(20 * SECOND);
        assertThat(world.node(1).reports)
                .containsExactly(
                        first.epoch() + " the old instance was busy for 5000 ms",
                        second.epoch() + " the old host could not begin for 5000 ms: its instance is busy");
        world.node(1).retired();
        world.node(1).start();
        assertThat(world.node(1).gate.view())
                .describedAs("what was said to be impossible")
                .isEmpty();
        world.learnAll(world.row(1));
        world.settle();
        assertThat(world.node(1).isRunning).isTrue();
    }

    @Test
    void whoEndsWhileItHandsOverOwesNothingAndLosesNothingSilently() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).start();
        world.arriveAll(2, 1);
        world.node(3).tell("under way");
        world.arriveAll(3, 1);
        PartitionGate<String> gate = world.node(1).gate;
        assertThat(gate.view().orElseThrow().phase()).startsWith("forwarding");
        gate.end(world.deleted(), world.nowNanos);
        assertThat(gate.owes()).isFalse();
        gate.onMessage(GateWorld.id(3), "late", 0, world.nowNanos);
        assertThat(world.node(1).dropped).containsExactly("under way STOPPED", "late STOPPED");
        assertThat(gate.isIdle()).isTrue();
    }
}

package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a gate shows to those who look in from outside: what waits, what it does, and whether its node may go. */
class GateViewTest {
    private static final long SECOND = 1_000_000_000L;

    private static GateWorld hosted(HandoffPolicy policy) {
        return GateWorld.hosted(4, policy);
    }

    private static GateWorld hosted() {
        return hosted(HandoffPolicy.singleton());
    }

    private static void tell(GateWorld world, int to, String message) {
        world.stream(3, to).addLast(message);
        world.arriveAll(3, to);
    }

    private static void assertWaiting(PartitionGate<String> gate, String... messages) {
        assertThat(gate.waiting()).containsExactly(messages);
        assertThat(gate.waitingCount()).isEqualTo(messages.length);
        assertThat(gate.waitingBytes()).isEqualTo(String.join("", messages).length());
    }

    private static String phase(GateWorld world, int node) {
        return world.node(node).gate.view().orElseThrow().phase();
    }

    // ---- What waits.

    @Test
    void whatWaitsForAnInstanceThatBeginsIsSeen() {
        GateWorld world = new GateWorld(4, HandoffPolicy.singleton(), HandoffSettings.defaults());
        PartitionGate<String> gate = world.node(1).gate;
        tell(world, 1, "stray");
        assertWaiting(gate, "stray");
        world.learnAll(world.row(1));
        tell(world, 1, "early");
        assertWaiting(gate, "stray", "early");
        world.node(1).start();
        assertWaiting(gate);
        assertThat(world.node(1).mailbox).containsExactly("stray", "early");
    }

    @Test
    void whatWaitsAtTheOldHostIsSeenUntilTheNewOneHasIt() {
        GateWorld world = hosted();
        PartitionGate<String> gate = world.node(1).gate;
        tell(world, 1, "rest");
        world.learnAll(world.moving(1, 2));
        tell(world, 1, "held");
        assertWaiting(gate, "held");
        world.node(1).retired();
        assertWaiting(gate, "rest", "held");
        tell(world, 1, "forwarded");
        assertWaiting(gate, "rest", "held", "forwarded");
        world.arriveAll(1, 2);
        world.arriveAll(2, 1);
        assertWaiting(gate, "rest", "held", "forwarded"); // it may have to go on with these
        world.settle();
        assertWaiting(gate);
        assertThat(world.node(2).handled).containsExactly("rest", "held", "forwarded");
    }

    @Test
    void whatWaitsAtTheNewHostIsSeenUntilItsTurn() {
        GateWorld world = hosted();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        tell(world, 1, "handed");
        world.node(1).retired();
        world.arriveAll(1, 2);
        tell(world, 2, "direct");
        assertWaiting(world.node(2).gate, "handed", "direct");
        MoveView view = world.node(2).gate.view().orElseThrow();
        assertThat(view.messages()).isEqualTo(2);
        assertThat(view.bytes()).isEqualTo("handeddirect".length());
        world.settle();
        assertWaiting(world.node(2).gate, "direct"); // whoever sent it has not switched
        world.learnAll(world.moved(moving));
        world.settle();
        assertWaiting(world.node(2).gate);
    }

    @Test
    void whatNeedNotComeInOrderIsSeenWhileItWaitsForTheInstance() {
        GateWorld world = hosted(HandoffPolicy.stateless());
        world.learnAll(world.moving(1, 2));
        world.arriveAll(1, 2);
        tell(world, 2, "direct");
        assertWaiting(world.node(2).gate, "direct");
        world.settle();
        assertWaiting(world.node(2).gate);
    }

    @Test
    void whatComesBackToTheOldHostCountsOnce() {
        GateWorld world = hosted();
        tell(world, 1, "rest");
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.learnAll(world.row(1));
        assertWaiting(world.node(1).gate, "rest");
        assertWaiting(world.node(2).gate);
        world.node(1).start();
        assertWaiting(world.node(1).gate);
    }

    // ---- What it does.

    @Test
    void theStepsOfAMoveAreSeenFromBothSides() {
        GateWorld world = hosted();
        assertThat(world.node(1).gate.view()).isEmpty();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        assertThat(phase(world, 1)).isEqualTo("the instance finishes its message");
        world.node(1).retired();
        assertThat(phase(world, 1)).isEqualTo("the new host prepares");
        world.arriveAll(1, 2);
        MoveView there = world.node(2).gate.view().orElseThrow();
        assertThat(there)
                .isEqualTo(
                        new MoveView(moving.epoch(), GateWorld.id(1), GateWorld.id(2), "preparing", 0, 0, List.of()));
        world.settle();
        assertThat(phase(world, 1)).isEqualTo("forwarding until all nodes know the new host");
        assertThat(phase(world, 2)).isEqualTo("at work, waiting for senders to switch");
        assertThat(world.node(1).gate.view().orElseThrow().waitingFor()).hasSize(4);
    }

    @Test
    void whereTheOldHostGoesOnMeanwhileThatIsSeen() {
        GateWorld world = hosted(HandoffPolicy.ordered());
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        assertThat(world.node(1).gate.view())
                .contains(new MoveView(
                        moving.epoch(),
                        GateWorld.id(1),
                        GateWorld.id(2),
                        "the new host prepares, this one goes on",
                        0,
                        0,
                        List.of()));
    }

    @Test
    void whoHandlesMessagesNowIsSeen() {
        GateWorld world = new GateWorld(4, HandoffPolicy.ordered(), HandoffSettings.defaults());
        PartitionEntry row = world.row(1);
        world.learnAll(row);
        assertThat(world.node(1).gate.acts()).isFalse();
        world.node(1).start();
        assertThat(world.node(1).gate.acts()).isTrue();
        world.learnAll(world.moving(1, 2));
        world.arriveAll(1, 2);
        world.node(2).start();
        assertThat(world.node(1).gate.acts()).isTrue();
        assertThat(world.node(2).gate.acts()).isFalse();
        world.settle();
        assertThat(world.node(1).gate.acts()).isFalse();
        assertThat(world.node(2).gate.acts()).isTrue();
    }

    // ---- Whether anybody would miss it.

    @Test
    void aGateIsIdleWhereThereIsNoInstanceNoMoveAndNoMessage() {
        GateWorld world = hosted();
        assertThat(world.node(1).gate.isIdle()).isFalse();
        assertThat(world.node(2).gate.isIdle()).isTrue();
        tell(world, 2, "stray");
        assertThat(world.node(2).gate.isIdle()).isFalse();
        world.pass(SECOND);
        assertThat(world.node(2).gate.isIdle()).isTrue();
    }

    @Test
    void aGateIsNotIdleAsLongAsAMessageWaitsForAnInstance() {
        GateWorld world = hosted();
        world.learnAll(world.moving(1, 2));
        tell(world, 1, "x");
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).start();
        world.arriveAll(2, 1);
        world.remove(2); // the row still says that it moves
        assertThat(world.node(1).gate.view()).isEmpty();
        assertWaiting(world.node(1).gate, "x");
        assertThat(world.node(1).gate.isIdle()).isFalse();
    }

    @Test
    void whoHostsOwesNothingAlsoWhileMessagesWaitForItsInstance() {
        GateWorld world = new GateWorld(4, HandoffPolicy.singleton(), HandoffSettings.defaults());
        world.learnAll(world.row(1));
        tell(world, 1, "early");
        assertThat(world.node(1).gate.owes()).isFalse();
        world.settle();
        assertThat(world.node(1).gate.owes()).isFalse();
    }

    @Test
    void whoHasAMessageForAnotherHostOwesThat() {
        GateWorld world = hosted();
        assertThat(world.node(2).gate.owes()).isFalse();
        tell(world, 2, "stray");
        assertThat(world.node(2).gate.owes()).isTrue();
        world.pass(SECOND);
        assertThat(world.node(2).gate.owes()).isFalse();
    }

    @Test
    void whoIsToHandOverOwesThatFromTheFirstWordToTheLast() {
        GateWorld world = new GateWorld(4, HandoffPolicy.ordered(), HandoffSettings.defaults());
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        assertThat(world.node(1).gate.owes()).isTrue(); // its instance is not there yet
        world.settle();
        assertThat(world.node(1).gate.owes()).isTrue();
        world.learnAll(world.moved(moving));
        world.settle();
        assertThat(world.node(1).gate.owes()).isFalse();
        assertThat(world.node(2).gate.owes()).isFalse();
    }

    @Test
    void anInstanceThatEndsAndDoesNotMoveIsSeenToEnd() {
        GateWorld world = hosted();
        PartitionGate<String> gate = world.node(1).gate;
        assertThat(gate.isEnding()).isFalse();
        world.learnAll(world.row(2));
        assertThat(gate.isEnding()).isTrue();
        assertThat(gate.owes()).isTrue();
        world.node(1).retired();
        assertThat(gate.isEnding()).isFalse();
        assertThat(gate.owes()).isFalse();
    }

    @Test
    void anInstanceThatEndsBecauseItMovesIsNoneThatEnds() {
        GateWorld world = hosted();
        world.learnAll(world.moving(1, 2));
        assertThat(world.node(1).isRetiring).isTrue();
        assertThat(world.node(1).gate.isEnding()).isFalse();
        world.learnAll(world.row(1)); // called off
        assertThat(world.node(1).gate.isEnding()).isTrue();
    }

    @Test
    void whatTheOldHostTakesBackTakesNoRoomThatOthersNeed() {
        HandoffSettings settings =
                new HandoffSettings(HandoffSettings.defaults().migrationTimeout(), 2, 1 << 20);
        GateWorld world = new GateWorld(4, HandoffPolicy.singleton(), settings);
        world.learnAll(world.row(1));
        world.settle();
        for (int round = 0; round < 3; round++) {
            world.learnAll(world.moving(1, 2));
            tell(world, 1, "a" + round);
            tell(world, 1, "b" + round);
            world.node(1).gate.onRetired(List.of(), Optional.empty(), world.nowNanos);
            world.learnAll(world.row(1));
            world.node(1).isRetiring = false;
            world.settle();
        }
        assertThat(world.node(1).dropped).isEmpty();
        assertThat(world.node(1).handled).containsExactly("a0", "b0", "a1", "b1", "a2", "b2");
    }
}

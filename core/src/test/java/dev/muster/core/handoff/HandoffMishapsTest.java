package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moves in which two things go wrong at once. */
class HandoffMishapsTest {
    private static final long SECOND = 1_000_000_000L;

    private static GateWorld hosted() {
        return GateWorld.hosted(4, HandoffPolicy.singleton());
    }

    /** The leader heard that it was done, and could write that only after the old host was removed. */
    @Test
    void whatIsSentDirectlyIsHandledWhenTheOldHostWentBeforeTheRowCame() {
        GateWorld world = hosted();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).start();
        world.arriveAll(2, 1);
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        world.stream(1, 2).clear();

        world.remove(1);
        world.learnAll(world.moved(moving));
        world.settle();
        world.node(3).tell("x");
        world.settle();

        assertThat(world.node(2).handled).containsExactly("x");
    }

    @Test
    void whatWasTakenOverFromTheDeadAndDoesNotStartMovesOn() {
        GateWorld world = hosted();
        world.node(3).tell("1");
        world.settle();
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.remove(1);
        world.learnAll(world.row(2));
        startFails(world, 2);
        assertThat(world.node(2).failedStarts).containsExactly("no database here");

        PartitionEntry again = world.moving(2, 3);
        world.learnAll(again);
        world.node(4).tell("2");
        for (int i = 0; i < 40; i++) {
            world.pass(SECOND);
            arriveAmong(world, 2, 4);
            if (world.node(2).isCreating) {
                startFails(world, 2);
            }
            if (world.node(3).isCreating) {
                world.node(3).start();
            }
        }
        assertThat(world.node(2).reports).containsExactly(again.epoch() + " done");
        assertThat(world.node(3).stateAtStart).isEqualTo("1.");
        world.learnAll(world.moved(again));
        world.settle();
        assertThat(world.node(3).handled).containsExactly("2");
    }

    /** Under 2a the old host goes on until the new one is ready; but here it has nothing that could go on. */
    @Test
    void whatWaitedForAnInstanceThatDoesNotStartMovesOnAlsoWhereTheOldHostWouldGoOn() {
        GateWorld world = new GateWorld(4, HandoffPolicy.stateless(), HandoffSettings.defaults());
        world.learnAll(world.row(1));
        world.settle();
        world.learnAll(world.moving(1, 2));
        world.arriveAll(1, 2);
        world.remove(1);
        world.learnAll(world.row(2));
        world.node(3).tell("m");
        world.arriveAll(3, 2);
        startFails(world, 2);

        PartitionEntry again = world.moving(2, 3);
        world.learnAll(again);
        arriveAmong(world, 2, 4);
        world.node(3).start();
        arriveAmong(world, 2, 4);
        assertThat(world.node(2).reports).containsExactly(again.epoch() + " done");
        world.settle();
        assertThat(world.node(3).handled).containsExactly("m");
        assertThat(world.node(2).dropped).isEmpty();
    }

    private static void startFails(GateWorld world, int node) {
        world.node(node).isCreating = false;
        world.node(node).gate.onStartFailed("no database here", world.nowNanos);
    }

    private static void arriveAmong(GateWorld world, int first, int last) {
        for (int from = first; from <= last; from++) {
            for (int to = first; to <= last; to++) {
                world.arriveAll(from, to);
            }
        }
    }

    /** The new host has all of it, and will never have its turn; the old one has to know. */
    @Test
    void whatWasHandedOverIsDroppedOnceWhenThePartitionEndsBeforeItsTurn() {
        GateWorld world = hosted();
        world.learnAll(world.moving(1, 2));
        world.node(3).tell("m");
        world.arriveAll(3, 1);
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).start();
        world.arriveAll(2, 1); // all is confirmed, and the word that it is its turn is under way
        world.learnAll(world.deleted());
        world.settle();
        world.pass(60 * SECOND);
        world.settle();

        assertThat(fates(world)).hasSize(1);
    }

    /** What it had sent to the old host may come later than what it sent to the new one. */
    @Test
    void whoDiesAfterItHasSwitchedIsNotReordered() {
        GateWorld world = hosted();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.node(3).tell("1");
        world.arriveAll(3, 1);
        world.stream(1, 2).clear(); // lost with a connection; it is said again
        world.learnAll(world.moved(moving));
        world.node(3).tell("2");
        world.arriveAll(3, 2);
        world.remove(3);
        world.pass(5 * SECOND);
        world.settle();

        assertThat(world.node(2).handled).containsExactly("1", "2");
    }

    /** Nothing keeps senders from the one who takes over from the dead, so what was sent before might come later. */
    @ParameterizedTest
    @MethodSource("orderly")
    void whatWasHandedToTheDeadDoesNotComeLateWhereOrderIsKept(HandoffPolicy policy) {
        GateWorld world = handedToTheDead(policy);
        world.learnAll(world.row(3));
        world.settle();
        world.node(4).tell("2");
        world.arriveAll(4, 3);
        world.node(1).gate.onMessage(world.node(4).id, "behind", 0, world.nowNanos); // of one who has not heard yet
        world.pass(SECOND);
        world.settle();

        assertThat(world.node(3).handled).containsExactly("2");
        assertThat(world.node(1).dropped).containsExactly("1 OUT_OF_ORDER", "behind OUT_OF_ORDER");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void whatWasHandedToTheDeadIsPassedOnWhereOrderIsNotKept() {
        GateWorld world = handedToTheDead(HandoffPolicy.stateless());
        world.learnAll(world.row(3));
        world.settle();

        assertThat(world.node(3).handled).containsExactly("1");
        assertThat(world.node(1).dropped).isEmpty();
    }

    @Test
    void whatWasHandedToTheDeadIsHandledFirstWhereTheOldHostBeginsAgain() {
        GateWorld world = handedToTheDead(HandoffPolicy.ordered());
        world.learnAll(world.row(1));
        world.node(4).tell("2");
        world.settle();

        assertThat(world.node(1).handled).containsExactly("1", "2");
    }

    /** The old host died after it had handed over, and a third node replaces both. */
    @Test
    void whatTheDeadHandedOverIsNotPassedOnLateWhereOrderIsKept() {
        GateWorld world = new GateWorld(4, HandoffPolicy.ordered(), HandoffSettings.defaults());
        world.learnAll(world.row(1));
        world.settle();
        world.learnAll(world.moving(1, 2));
        world.arriveAll(1, 2);
        world.node(2).start();
        world.arriveAll(2, 1);
        world.node(1).retired();
        world.node(4).tell("1");
        world.arriveAll(4, 1);
        world.arriveAll(1, 2);
        assertThat(world.node(2).mailbox).containsExactly("1"); // it has not come to it yet

        world.remove(1);
        world.learnAll(world.row(3));
        world.node(3).start();
        world.node(4).tell("2");
        world.arriveAll(4, 3);
        world.node(3).workAll();
        world.node(2).retired();
        world.settle();
        world.pass(SECOND);
        world.settle();

        assertThat(world.node(3).handled).containsExactly("2");
        assertThat(world.node(2).dropped).containsExactly("1 OUT_OF_ORDER");
    }

    /** It ended there, began anew there and moved on, while the old host could not be heard. */
    @Test
    void whatTheNewHostSaysThatItHasNotTakenHasAFate() {
        GateWorld world = hosted();
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).start();
        world.arriveAll(2, 1);
        world.node(4).tell("unheard");
        world.arriveAll(4, 1);
        world.stream(1, 2).clear(); // a broken connection, and so below
        world.learnAll(world.deleted());
        world.node(2).retired();
        world.stream(1, 2).clear();
        world.learnAll(world.row(2));
        world.node(2).start();
        world.stream(1, 2).clear();
        PartitionEntry movesOn = world.moving(2, 3);
        world.learnAll(movesOn);
        world.stream(1, 2).clear();
        world.node(2).retired();
        world.arriveAll(2, 3);
        world.node(3).start();
        world.arriveAll(3, 2);
        world.learnAll(world.moved(movesOn));
        world.settle();
        world.pass(10 * SECOND); // now it is heard again
        world.settle();

        assertThat(fates(world)).singleElement().asString().startsWith("unheard");
    }

    /** What became of all messages, one for each that is known of. */
    private static List<String> fates(GateWorld world) {
        List<String> fates = new ArrayList<>();
        world.nodes.values().forEach(node -> {
            fates.addAll(node.handled);
            fates.addAll(node.dropped);
            fates.addAll(node.gate.waiting());
        });
        return fates;
    }

    static List<HandoffPolicy> orderly() {
        return List.of(HandoffPolicy.ordered(), HandoffPolicy.singleton());
    }

    /** The new host has had its turn and has died; a message that it never got is with the old one. */
    private static GateWorld handedToTheDead(HandoffPolicy policy) {
        GateWorld world = new GateWorld(4, policy, HandoffSettings.defaults());
        world.learnAll(world.row(1));
        world.settle();
        world.learnAll(world.moving(1, 2));
        world.settle();
        world.node(4).tell("1");
        world.arriveAll(4, 1);
        world.remove(2);
        return world;
    }

    @Test
    void whatComesWhileAnInstanceThatEndedIsStartedAgainWaits() {
        GateWorld world = hosted();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        PartitionEntry moved = world.moved(moving);
        for (int node = 1; node <= 3; node++) {
            world.learn(node, moved);
        }
        arriveAmong(world, 1, 3);
        assertThat(world.node(2).gate.view()).isPresent(); // the fourth has not switched
        world.node(2).isRunning = false;
        world.node(2).gate.onEnded(world.nowNanos);
        world.pass(SECOND + 1);
        assertThat(world.node(2).isCreating).isTrue();
        world.node(3).tell("x");
        arriveAmong(world, 1, 3);
        world.settle();

        assertThat(world.node(2).handled).containsExactly("x");
    }

    @Test
    void whereAnInstanceDoesNotStartMessagesGoToAnother() {
        GateWorld world = new GateWorld(4, HandoffPolicy.stateless(), HandoffSettings.defaults());
        world.learnAll(world.row(1, 2));
        world.node(2).start();
        world.node(1).gate.onMessage(world.node(3).id, "early", 0, world.nowNanos);
        startFails(world, 1);
        world.node(1).gate.onMessage(world.node(3).id, "late", 0, world.nowNanos);
        world.arriveAll(1, 2);
        world.node(2).workAll();

        assertThat(world.node(2).handled).containsExactly("early", "late");
        assertThat(world.node(1).dropped).isEmpty();
        assertThat(world.node(1).failedStarts).containsExactly("no database here");
    }

    /** Nobody goes on here while the new host prepares, and that may take long. */
    @Test
    void whereAnInstanceThatDidNotStartMovesAwayMessagesGoToAnother() {
        GateWorld world = new GateWorld(4, HandoffPolicy.stateless(), HandoffSettings.defaults());
        world.learnAll(world.row(1, 2));
        world.node(2).start();
        startFails(world, 1);
        world.learnAll(world.movingOneOf(1, 3, 2));
        world.node(1).gate.onMessage(world.node(4).id, "m", 0, world.nowNanos);
        world.arriveAll(1, 2);
        world.node(2).workAll();

        assertThat(world.node(2).handled).containsExactly("m");
        assertThat(world.node(1).dropped).isEmpty();
    }

    /** There is no other instance: the new one is all that there will be. */
    @Test
    void whereTheOnlyInstanceEndsWhileTheNewOneIsMadeMessagesWaitForThat() {
        GateWorld world = new GateWorld(4, HandoffPolicy.stateless(), HandoffSettings.defaults());
        world.learnAll(world.row(1));
        world.settle();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).isRunning = false;
        world.node(1).gate.onEnded(world.nowNanos);
        world.node(3).tell("m");
        world.settle();

        assertThat(world.node(2).handled).containsExactly("m");
        assertThat(world.node(1).dropped).isEmpty();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
    }

    @Test
    void whereAnInstanceEndsWhileTheNewOneIsMadeMessagesGoToAnother() {
        GateWorld world = new GateWorld(4, HandoffPolicy.stateless(), HandoffSettings.defaults());
        world.learnAll(world.row(1, 2));
        world.settle();
        PartitionEntry moving = world.movingOneOf(1, 3, 2);
        world.learnAll(moving);
        world.node(1).isRunning = false;
        world.node(1).gate.onEnded(world.nowNanos);
        world.node(1).gate.onMessage(world.node(4).id, "m", 0, world.nowNanos);
        world.settle();

        assertThat(world.node(2).handled).containsExactly("m");
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
    }

    @Test
    void whereThereIsNoOtherMessagesAreDropped() {
        GateWorld world = new GateWorld(4, HandoffPolicy.stateless(), HandoffSettings.defaults());
        world.learnAll(world.row(1));
        world.node(1).gate.onMessage(world.node(3).id, "early", 0, world.nowNanos);
        startFails(world, 1);
        world.node(1).gate.onMessage(world.node(3).id, "late", 0, world.nowNanos);

        assertThat(world.node(1).dropped).hasSize(2);
    }

    /** It was to leave its state for the new host, and that has never come to it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatEndsWhileItMovesAndIsWantedAgainBeginsAnew(boolean leavesItsState) {
        GateWorld world = hosted();
        GateWorld.Node host = world.node(1);
        world.node(4).tell("1");
        world.settle();
        world.learnAll(world.moving(1, 2));
        world.node(4).tell("2");
        world.arriveAll(4, 1);
        world.learnAll(world.deleted());
        PartitionEntry again = world.row(1);
        world.learnAll(again);
        if (!leavesItsState) {
            host.notRetired("it cannot be written");
            assertThat(host.isRetiring).isTrue();
        }
        world.settle();

        assertThat(host.stateAtStart).isEmpty();
        assertThat(host.epochAtStart).isEqualTo(again.epoch());
        assertThat(host.handled).containsExactly("1", "2");
    }
}

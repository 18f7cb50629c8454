package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateWorld.Node;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.HandoffPolicy.Arrival;
import dev.muster.core.state.HandoffPolicy.Migration;
import dev.muster.core.state.HandoffPolicy.Update;
import dev.muster.core.state.PartitionEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The six steps and every option of the specification's "Graceful Handoff", message by message. */
class HandoffTest {
    private static final long SECOND = 1_000_000_000L;
    private static final HandoffPolicy SINGLETON = HandoffPolicy.singleton();

    static Stream<HandoffPolicy> policies() {
        List<HandoffPolicy> all = new ArrayList<>();
        for (Migration migration : Migration.values()) {
            for (Arrival arrival : Arrival.values()) {
                for (Update update : Update.values()) {
                    all.add(new HandoffPolicy(migration, arrival, update));
                }
            }
        }
        return all.stream();
    }

    /** Three nodes; the first hosts the partition. */
    private static GateWorld hosted(HandoffPolicy policy) {
        return hosted(policy, HandoffSettings.defaults());
    }

    private static GateWorld hosted(HandoffPolicy policy, HandoffSettings settings) {
        GateWorld world = new GateWorld(3, policy, settings);
        world.learnAll(world.row(1));
        world.settle();
        assertThat(world.node(1).isRunning).isTrue();
        return world;
    }

    private static List<String> handled(GateWorld world, int node) {
        return world.node(node).handled;
    }

    @ParameterizedTest
    @MethodSource("policies")
    void withoutMessagesThePartitionMoves(HandoffPolicy policy) {
        GateWorld world = hosted(policy);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        assertThat(world.node(1).isRunning).isFalse();
        assertThat(world.node(2).isRunning).isTrue();
        world.learnAll(world.moved(moving));
        world.settle();
        assertThat(world.node(1).gate.isIdle()).isTrue();
        assertThat(world.node(2).gate.view()).isEmpty();
        world.node(3).tell("x");
        world.settle();
        assertThat(handled(world, 2)).containsExactly("x");
    }

    /** What comes between the first step and the third. */
    @ParameterizedTest
    @MethodSource("policies")
    void theMigrationTransition(HandoffPolicy policy) {
        GateWorld world = hosted(policy);
        Node first = world.node(1);
        Node second = world.node(2);
        world.node(3).tell("before");
        world.arriveAll(3, 1);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        if (first.isRetiring) {
            first.work();
            first.retired();
        } else {
            first.work();
        }
        world.arriveAll(1, 2);
        assertThat(second.isCreating).isTrue();
        world.node(3).tell("during");
        world.arriveAll(3, 1);
        switch (policy.migration()) {
            case KEEP -> assertThat(first.mailbox).containsExactly("during");
            case FORWARD -> {
                assertThat(first.mailbox).isEmpty();
                assertThat(first.dropped).isEmpty();
            }
            case DROP -> assertThat(first.dropped).containsExactly("during HANDOFF");
        }
        first.workAll();
        world.settle();
        List<String> all = new ArrayList<>(first.handled);
        all.addAll(second.handled);
        assertThat(all)
                .isEqualTo(policy.migration() == Migration.DROP ? List.of("before") : List.of("before", "during"));
        assertThat(second.stateAtStart).isEqualTo(policy.migration() == Migration.FORWARD ? "before." : "");
    }

    /** What comes to the old host after the third step. */
    @ParameterizedTest
    @MethodSource("policies")
    void theUpdateTransition(HandoffPolicy policy) {
        GateWorld world = hosted(policy);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.node(3).tell("late");
        world.settle();
        if (policy.update() == Update.FORWARD) {
            assertThat(handled(world, 2)).containsExactly("late");
            assertThat(world.node(1).dropped).isEmpty();
        } else {
            assertThat(handled(world, 2)).isEmpty();
            assertThat(world.node(1).dropped).containsExactly("late HANDOFF");
        }
    }

    /** A message that takes the old way is overtaken by one that takes the new one, unless that waits. */
    @ParameterizedTest
    @MethodSource("policies")
    void theOrderOfOneSender(HandoffPolicy policy) {
        GateWorld world = hosted(policy);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.node(3).tell("1");
        PartitionEntry moved = world.moved(moving);
        world.learn(3, moved);
        world.node(3).tell("2");
        world.arriveAll(3, 2);
        world.node(2).workAll();
        List<String> atOnce = policy.arrival() == Arrival.PROCESS ? List.of("2") : List.of();
        assertThat(handled(world, 2)).isEqualTo(atOnce);
        world.learn(1, moved);
        world.learn(2, moved);
        world.settle();
        List<String> expected = policy.update() == Update.DROP
                ? List.of("2")
                : policy.arrival() == Arrival.PROCESS ? List.of("2", "1") : List.of("1", "2");
        assertThat(handled(world, 2)).isEqualTo(expected);
    }

    @Test
    void theRestOfTheMailboxGoesFirst() {
        GateWorld world = hosted(SINGLETON);
        for (int i = 0; i < 5; i++) {
            world.node(3).tell("m" + i);
        }
        world.arriveAll(3, 1);
        world.node(1).work();
        world.learnAll(world.moving(1, 2));
        world.node(3).tell("m5");
        world.arriveAll(3, 1);
        world.node(1).retired();
        world.node(3).tell("m6");
        world.settle();
        assertThat(handled(world, 1)).containsExactly("m0");
        assertThat(world.node(2).stateAtStart).isEqualTo("m0.");
        assertThat(handled(world, 2)).containsExactly("m1", "m2", "m3", "m4", "m5", "m6");
    }

    /** The new one does nothing before the old one has ended, whatever has come. */
    @ParameterizedTest
    @MethodSource("policies")
    void theNewOneWaitsForItsTurn(HandoffPolicy policy) {
        GateWorld world = hosted(policy);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        if (world.node(1).isRetiring) {
            world.node(1).retired();
        }
        world.node(3).tell("x");
        world.arriveAll(3, 1);
        world.arriveAll(1, 2);
        world.node(2).start();
        assertThat(world.node(2).mailbox).isEmpty();
        assertThat(world.node(2).gate.acts()).isFalse();
    }

    // ---- Connections that break.

    @ParameterizedTest
    @MethodSource("policies")
    void whatWasLostOnTheWayIsSaidAgain(HandoffPolicy policy) {
        GateWorld world = hosted(policy);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        for (int round = 0; round < 8; round++) {
            if (world.node(1).isRetiring) {
                world.node(1).retired();
            }
            // Now and then all that is under way between the two hosts is lost.
            if (round % 2 == 0) {
                world.stream(1, 2).clear();
                world.stream(2, 1).clear();
            }
            world.pass(4 * SECOND / 3);
            world.arriveAll(1, 2);
            if (world.node(2).isCreating) {
                world.node(2).start();
            }
            world.arriveAll(2, 1);
        }
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        assertThat(world.node(2).isRunning).isTrue();
    }

    @Test
    void aSwitchThatWasLostIsAskedFor() {
        GateWorld world = hosted(SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        PartitionEntry moved = world.moved(moving);
        world.learn(3, moved);
        world.node(3).tell("x");
        world.stream(3, 1).clear();
        world.learn(1, moved);
        world.learn(2, moved);
        world.settle();
        assertThat(handled(world, 2)).isEmpty();
        assertThat(world.node(1).gate.view().orElseThrow().waitingFor()).containsExactly(GateWorld.id(3));
        world.pass(SECOND);
        world.settle();
        assertThat(handled(world, 2)).containsExactly("x");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    // ---- Nodes that go.

    @Test
    void whoHasGoneNeedNotSwitch() {
        GateWorld world = hosted(SINGLETON);
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
        GateWorld world = hosted(SINGLETON);
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
        assertThat(handled(world, 1)).containsExactly("1", "2", "3");
    }

    @Test
    void whenTheOldHostGoesTheNewOneGoesOnWithAllThatItWasGiven() {
        GateWorld world = hosted(SINGLETON);
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
        assertThat(handled(world, 2)).containsExactly("2");
    }

    @Test
    void anOldHostThatGoesHoldsNobodysMessagesBack() {
        GateWorld world = hosted(SINGLETON);
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
        assertThat(handled(world, 2)).containsExactly("x");
    }

    @Test
    void whatTheNewHostHadNotConfirmedIsTakenBackWhenItGoes() {
        GateWorld world = hosted(new HandoffPolicy(Migration.FORWARD, Arrival.PROCESS, Update.FORWARD));
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.node(3).tell("1");
        world.arriveAll(3, 1);
        world.remove(2);
        world.learnAll(world.row(3));
        world.settle();
        assertThat(handled(world, 3)).containsExactly("1");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    /** The new host may be at work without knowing that it has gone, so whoever leads says when to begin again. */
    @Test
    void whoHasHandedOverBeginsAgainOnlyByAnotherRow() {
        GateWorld world = hosted(SINGLETON);
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
        assertThat(handled(world, 1)).containsExactly("x");
    }

    /** It was to be tried again there; but somebody else has had it since. */
    @Test
    void oneThatHasFailedBeforeItMovedAwayIsNotTriedAgainWhenTheNewHostGoes() {
        GateWorld world = hosted(SINGLETON);
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
        GateWorld world = hosted(SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        world.remove(2);
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " the new host has gone");
    }

    // ---- Moves that fail, and limits.

    /** Of several instances one was to move, which was called off; then the one that was to get it became a host. */
    @ParameterizedTest
    @MethodSource("policies")
    void oneThatBecomesAHostInAnotherWayIsAHostLikeAnyOther(HandoffPolicy policy) {
        GateWorld world = hosted(policy);
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
        assertThat(handled(world, 2)).containsExactly("x");
        assertThat(world.node(2).gate.view()).isEmpty();
    }

    @Test
    void whatCannotLeaveItsStateStaysWhereItIs() {
        GateWorld world = hosted(SINGLETON);
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
        assertThat(handled(world, 1)).containsExactly("1", "2", "3");
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
        GateWorld world = hosted(SINGLETON);
        world.learnAll(world.moving(1, 2));
        world.node(3).tell("1");
        world.arriveAll(3, 1);
        world.learnAll(world.row(1));
        world.node(3).tell("2");
        world.arriveAll(3, 1);
        world.node(1).notRetired("it is too large");
        world.settle();
        assertThat(handled(world, 1)).containsExactly("1", "2");
    }

    @Test
    void oneThatEndsBeforeItsTurnIsGivenUpWithItsStateKept() {
        GateWorld world = hosted(SINGLETON);
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
    void onlyAsMuchIsUnderWayAsOthersCanBear() {
        GateWorld world = hosted(SINGLETON);
        world.learnAll(world.moving(1, 2));
        String large = "x".repeat(50 * 1024);
        for (int i = 0; i < 10; i++) {
            world.node(1).mailbox.add(large + i);
        }
        world.node(1).retired();
        assertThat(world.stream(1, 2)).hasSize(1 + 2 + 2); // the preparation, the state and two messages
        world.settle();
        assertThat(handled(world, 2)).hasSize(10).last().isEqualTo(large + 9);
    }

    /** The order of what they have sent is not given up for a word that may still come; but somebody should know. */
    @Test
    void whoDoesNotSwitchForLongIsSpokenOf() {
        GateWorld world = hosted(SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        PartitionEntry moved = world.moved(moving);
        world.learn(1, moved);
        world.learn(2, moved);
        world.settle();
        world.pass(21 * SECOND);
        assertThat(world.node(1).reports)
                .containsExactly(moving.epoch() + " done", moving.epoch() + " still waits for 1");
        world.learn(3, moved);
        world.settle();
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    /** The second move begins when the new host has all, but before the old one knows that it has. */
    @Test
    void whatTheNewHostHasTakenIsNotTakenBackWhenThePartitionMovesOn() {
        GateWorld world = hosted(SINGLETON);
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
        assertThat(handled(world, 2)).containsExactly("late");
        PartitionEntry movingOn = world.moving(2, 3);
        world.learnAll(movingOn);
        world.arriveAll(2, 3);
        world.stream(2, 1).clear();
        world.settle();
        world.learnAll(world.moved(movingOn));
        world.settle();
        world.pass(10 * SECOND);
        world.settle();
        assertThat(handled(world, 3)).isEmpty();
        assertThat(world.node(1).gate.isIdle()).isTrue();
        assertThat(world.node(2).gate.isIdle()).isTrue();
    }

    @Test
    void whatTheNewHostDoesNotTakeAnyMoreGoesToWhereTheTableSays() {
        GateWorld world = hosted(SINGLETON);
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
        assertThat(handled(world, 2)).isEmpty();
        assertThat(handled(world, 3)).containsExactly("late");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void anInstanceThatCannotStartIsReported() {
        GateWorld world = hosted(SINGLETON);
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
    @MethodSource("policies")
    void aNewHostThatDoesNotAnswerIsGivenUp(HandoffPolicy policy) {
        GateWorld world = hosted(policy, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
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
        GateWorld world = hosted(SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
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
        GateWorld world = hosted(SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
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
        GateWorld world = hosted(SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
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
        GateWorld world = hosted(SINGLETON);
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

    @Test
    void onOneNodeNoMoreWaitsThanForFourPartitions() {
        HandoffSettings settings = new HandoffSettings(Duration.ofSeconds(5), 3, 1 << 20);
        Room room = new Room(settings);
        List<GateWorld> partitions = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            GateWorld partition = new GateWorld(3, SINGLETON, settings, room);
            partition.learnAll(partition.row(1));
            partition.settle();
            partition.learnAll(partition.moving(1, 2));
            tellThree(partition);
            partitions.add(partition);
        }
        assertThat(partitions.get(3).node(1).dropped).isEmpty();
        assertThat(partitions.get(4).node(1).dropped)
                .containsExactly("m0 BUFFER_FULL", "m1 BUFFER_FULL", "m2 BUFFER_FULL");
        partitions.get(0).settle();
        assertThat(handled(partitions.get(0), 2)).containsExactly("m0", "m1", "m2");
        tellThree(partitions.get(4));
        assertThat(partitions.get(4).node(1).dropped).hasSize(3);
        partitions.get(4).settle();
        assertThat(handled(partitions.get(4), 2)).containsExactly("m0", "m1", "m2");
    }

    private static void tellThree(GateWorld world) {
        for (int i = 0; i < 3; i++) {
            world.node(3).tell("m" + i);
        }
        world.arriveAll(3, 1);
    }

    @Test
    void tooManyMessagesAreDeadLettersTheNewestFirst() {
        GateWorld world = hosted(SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 3, 1 << 20));
        world.learnAll(world.moving(1, 2));
        for (int i = 0; i < 5; i++) {
            world.node(3).tell("m" + i);
        }
        world.arriveAll(3, 1);
        assertThat(world.node(1).dropped).containsExactly("m3 BUFFER_FULL", "m4 BUFFER_FULL");
        world.settle();
        assertThat(handled(world, 2)).containsExactly("m0", "m1", "m2");
    }

    @Test
    void aNodeThatDoesNotHostPassesOn() {
        GateWorld world = hosted(SINGLETON);
        world.stream(3, 2).addLast("stray");
        world.settle();
        assertThat(handled(world, 1)).isEmpty();
        world.pass(SECOND);
        world.settle();
        assertThat(handled(world, 1)).containsExactly("stray");
    }

    /** It hears of its row late, and has heard before that the partition is nowhere. */
    @Test
    void whatComesToAFutureHostWaitsWhileThePartitionIsNowhere() {
        GateWorld world = hosted(SINGLETON);
        world.learnAll(world.nowhere());
        world.settle();
        PartitionEntry next = world.row(2);
        world.learn(3, next);
        world.node(3).tell("early");
        world.settle();
        world.pass(3 * SECOND);
        world.learn(2, next);
        world.settle();
        assertThat(handled(world, 2)).containsExactly("early");
    }

    /** It hears of its row late, and has heard before that the host of the partition was removed. */
    @Test
    void whatComesToAFutureHostWaitsWhileTheLastOneIsNoMemberAnyMore() {
        GateWorld world = hosted(SINGLETON);
        world.remove(1);
        PartitionEntry next = world.row(2);
        world.learn(3, next);
        world.node(3).tell("early");
        world.settle();
        world.pass(3 * SECOND);
        world.learn(2, next);
        world.settle();
        assertThat(handled(world, 2)).containsExactly("early");
    }

    /** The first row there ever was, and it comes late. */
    @Test
    void whatComesToAFutureHostWaitsWhileItHasHeardNothingOfThePartition() {
        GateWorld world = new GateWorld(3, SINGLETON, HandoffSettings.defaults());
        PartitionEntry first = world.row(2);
        world.learn(3, first);
        world.node(3).tell("early");
        world.settle();
        world.pass(3 * SECOND);
        world.learn(2, first);
        world.settle();
        assertThat(handled(world, 2)).containsExactly("early");
    }

    @Test
    void whatIsForNowhereDoesNotWaitForEver() {
        GateWorld world = hosted(SINGLETON);
        world.learnAll(world.nowhere());
        world.settle();
        world.stream(3, 2).addLast("lost");
        world.settle();
        world.learn(2, world.nowhere());
        world.pass(9 * SECOND);
        assertThat(world.node(2).dropped).isEmpty();
        world.pass(2 * SECOND);
        assertThat(world.node(2).dropped).containsExactly("lost STOPPED");
        assertThat(world.node(2).gate.isIdle()).isTrue();
    }

    /** Its goodbye takes another way and may be faster, and nobody listens to who is no member. */
    @Test
    void whoGoesWaitsUntilWhatItHasPassedOnHasCome() {
        GateWorld world = hosted(SINGLETON);
        PartitionGate<String> going = world.node(2).gate;
        going.onMessage(GateWorld.id(3), "stray", 0, world.nowNanos);
        world.pass(SECOND);
        assertThat(going.owes()).isFalse();
        going.goes(world.nowNanos);
        assertThat(going.owes()).isTrue();
        world.pass(SECOND);
        world.arrive(2, 1);
        assertThat(going.owes()).isTrue();
        world.arrive(2, 1);
        assertThat(going.owes()).isTrue();
        world.arriveAll(1, 2);
        assertThat(going.owes()).isFalse();
        // What comes after that is asked for too, and an answer to what was asked before it is none.
        going.onMessage(GateWorld.id(3), "late", 0, world.nowNanos);
        world.pass(SECOND);
        world.arrive(2, 1);
        world.arriveAll(1, 2);
        assertThat(going.owes()).isTrue();
        world.settle();
        assertThat(going.owes()).isFalse();
        assertThat(handled(world, 1)).containsExactly("stray", "late");
    }

    @Test
    void whoGoesDoesNotWaitForThoseWhoDoNotAnswer() {
        GateWorld world = hosted(SINGLETON);
        PartitionGate<String> going = world.node(2).gate;
        going.onMessage(GateWorld.id(3), "stray", 0, world.nowNanos);
        world.pass(SECOND);
        going.goes(world.nowNanos);
        world.pass(PassedOnTo.PATIENCE_NANOS - SECOND);
        assertThat(going.owes()).isTrue();
        world.pass(2 * SECOND);
        assertThat(going.owes()).isFalse();
    }

    @Test
    void whoIsSilentIsNotWaitedForLongerBecauseMoreIsPassedOn() {
        GateWorld world = hosted(SINGLETON);
        PartitionGate<String> going = world.node(2).gate;
        going.goes(world.nowNanos);
        for (int i = 0; i < 5; i++) {
            going.onMessage(GateWorld.id(3), "stray " + i, 0, world.nowNanos);
            world.pass(SECOND);
        }
        world.pass(SECOND);
        assertThat(going.owes()).isFalse();
    }

    @Test
    void whoGoesDoesNotWaitForThoseWhoAreGone() {
        GateWorld world = hosted(SINGLETON);
        PartitionGate<String> going = world.node(2).gate;
        going.onMessage(GateWorld.id(3), "stray", 0, world.nowNanos);
        world.pass(SECOND);
        going.goes(world.nowNanos);
        world.remove(1);
        world.pass(SECOND);
        assertThat(going.owes()).isFalse();
    }

    @Test
    void whoGoesOwesNothingToAPartitionThatHasEnded() {
        GateWorld world = hosted(SINGLETON);
        PartitionGate<String> going = world.node(2).gate;
        going.onMessage(GateWorld.id(3), "stray", 0, world.nowNanos);
        world.pass(SECOND);
        going.goes(world.nowNanos);
        world.learn(2, world.deleted());
        assertThat(going.owes()).isFalse();
    }

    /** It may not know that it was removed, and still be at work. */
    @Test
    void nothingIsSentToAHostThatIsNoMember() {
        GateWorld world = hosted(SINGLETON);
        PartitionRoute<String> route = world.node(3).route;
        assertThat(route.hosts()).containsExactly(GateWorld.id(1));
        route.onMembers(new TreeSet<>(List.of(GateWorld.id(2), GateWorld.id(3))));
        assertThat(route.hosts()).isEmpty();
        world.learn(3, world.row(2));
        assertThat(route.hosts()).containsExactly(GateWorld.id(2));
        // The former host hears all the same that this node knows the new one.
        assertThat(world.stream(3, 1)).hasSize(1);
    }

    /** A sender may hear of the new host before that one does. */
    @Test
    void whatComesBeforeTheRowWaitsForIt() {
        GateWorld world = hosted(SINGLETON);
        world.remove(1);
        PartitionEntry row = world.row(2);
        world.learn(3, row);
        world.node(3).tell("1");
        world.node(3).tell("2");
        world.arriveAll(3, 2);
        assertThat(world.node(2).dropped).isEmpty();
        world.learn(2, row);
        world.settle();
        assertThat(handled(world, 2)).containsExactly("1", "2");
    }

    /** What the new host has no room for it must not drop: the old one has it too, and may take it back. */
    @Test
    void whatComesWhileNobodyHostsWaitsForWhoWill() {
        GateWorld world = hosted(SINGLETON);
        world.learn(2, world.row(1));
        PartitionEntry nowhere = world.nowhere();
        world.learn(2, nowhere);
        world.node(3).gate.onRow(nowhere, world.nowNanos);
        world.stream(3, 2).addLast("early");
        world.arriveAll(3, 2);
        world.pass(3 * SECOND);
        assertThat(world.node(2).dropped).isEmpty();
        world.learn(2, world.row(2));
        world.settle();
        assertThat(handled(world, 2)).containsExactly("early");
    }

    @Test
    void whatNobodyEverHostsIsADeadLetter() {
        GateWorld world = hosted(SINGLETON);
        world.learn(2, world.nowhere());
        world.stream(3, 2).addLast("early");
        world.arriveAll(3, 2);
        world.pass(11 * SECOND);
        assertThat(world.node(2).dropped).containsExactly("early STOPPED");
    }

    @Test
    void whatWasHandedOverIsNotDropped() {
        GateWorld world = hosted(SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 3, 1 << 20));
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
        assertThat(handled(world, 1)).containsExactly("m0", "m1", "m2", "m3", "m4", "m5");
    }

    /** Moves to 2 until that one is through with the move, and all that it says to 1 in the end is lost. */
    private static GateWorld movedWithoutAWord(String late) {
        GateWorld world = hosted(SINGLETON);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.stream(3, 1).addLast(late);
        world.learnAll(world.moved(moving));
        world.arriveAll(1, 1);
        world.arriveAll(2, 1);
        world.arriveAll(3, 1);
        world.arriveAll(1, 2);
        world.stream(2, 1).clear();
        world.node(2).workAll();
        assertThat(handled(world, 2)).containsExactly(late);
        assertThat(world.node(2).gate.view()).isEmpty();
        assertThat(world.node(1).gate.view()).isPresent();
        return world;
    }

    @Test
    void whoIsThroughWithAMoveConfirmsItAgain() {
        GateWorld world = movedWithoutAWord("late");
        world.pass(SECOND);
        world.settle();
        assertThat(world.node(1).gate.isIdle()).isTrue();
        assertThat(handled(world, 2)).containsExactly("late");
    }

    @Test
    void whatTheNewHostCouldNotConfirmBeforeItHandedOnIsNotHandedOverTwice() {
        GateWorld world = movedWithoutAWord("late");
        PartitionEntry moving = world.moving(2, 3);
        for (int node = 1; node <= 3; node++) {
            world.learn(node, moving);
        }
        world.node(2).retired();
        world.arriveAll(2, 3);
        world.node(3).start();
        world.arriveAll(3, 2);
        world.arriveAll(2, 3);
        world.learnAll(world.moved(moving));
        world.settle();
        world.pass(SECOND);
        world.settle();
        assertThat(handled(world, 2)).containsExactly("late");
        assertThat(handled(world, 3)).isEmpty();
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void whatComesFromNowhereWhenAllHaveSwitchedIsPassedOn() {
        GateWorld world = movedWithoutAWord("late");
        world.node(1).gate.onMessage(GateWorld.id(9), "later", 0, world.nowNanos);
        world.pass(SECOND);
        world.settle();
        assertThat(handled(world, 2)).containsExactly("late", "later");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void thereAndBackAgainInOrder() {
        GateWorld world = hosted(SINGLETON);
        int sent = 0;
        int host = 1;
        for (int round = 0; round < 10; round++) {
            int next = 3 - host;
            PartitionEntry moving = world.moving(host, next);
            world.node(3).tell("m" + sent++);
            world.learnAll(moving);
            world.node(3).tell("m" + sent++);
            world.settle();
            world.node(3).tell("m" + sent++);
            world.learn(3, world.moved(moving));
            world.node(3).tell("m" + sent++);
            PartitionEntry moved = world.node(3).route.row().orElseThrow();
            world.learn(1, moved);
            world.learn(2, moved);
            world.settle();
            host = next;
        }
        List<String> all = new ArrayList<>(handled(world, 1));
        all.addAll(handled(world, 2));
        assertThat(all).hasSize(sent).doesNotHaveDuplicates();
        for (int node = 1; node <= 2; node++) {
            List<Integer> numbers = handled(world, node).stream()
                    .map(it -> Integer.parseInt(it.substring(1)))
                    .toList();
            assertThat(numbers).isSorted();
        }
        assertThat(world.node(host).stateAtStart).contains("m");
    }
}

package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateMessage.Confirmed;
import dev.muster.core.handoff.GateMessage.Ended;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A new host that hears of a row which names it and not its move: only the old host knows what became of that. */
class HandoffDoubtsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long ASK = HandoffSource.ASK_NANOS;

    private final GateWorld world = new GateWorld(4, HandoffPolicy.singleton(), HandoffSettings.defaults());
    private PartitionEntry moving;

    /** The first hosts the partition, and its instance has handled a message. */
    @BeforeEach
    void host() {
        world.learnAll(world.row(1));
        world.settle();
        world.node(3).tell("1");
        world.settle();
    }

    /** The new host has an instance that waits for its turn, and the old one does not know that. */
    private void prepare() {
        beginMove();
        world.arriveAll(1, 2);
        world.node(2).start();
        world.stream(2, 1).clear();
    }

    private void beginMove() {
        moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
    }

    /** Of the state only a part has come. */
    private void prepareHalf() {
        beginMove();
        world.arrive(1, 2);
        world.arrive(1, 2);
        world.stream(1, 2).clear();
        world.stream(2, 1).clear();
        assertThat(world.node(2).isCreating).isFalse();
    }

    private void tellDirectly(int to, String message) {
        world.stream(3, to).addLast(message);
        world.arriveAll(3, to);
    }

    @Test
    void whoIsInDoubtAsksTheOldHostAgainAndAgain() {
        prepare();
        world.learn(2, world.row(1, 2));
        PartitionGate<String> gate = world.node(2).gate;
        assertThat(gate.nextWakeUpNanos()).isEqualTo(world.nowNanos);
        gate.tick(world.nowNanos);
        assertThat(world.stream(2, 1)).containsExactly(new Confirmed<>(moving.epoch(), 3, true, false, ""));
        assertThat(gate.nextWakeUpNanos()).isEqualTo(world.nowNanos + ASK);
        gate.tick(world.nowNanos + ASK - 1);
        assertThat(world.stream(2, 1)).hasSize(1);
        gate.tick(world.nowNanos + ASK);
        assertThat(world.stream(2, 1)).hasSize(2);
    }

    @Test
    void anotherRowDoesNotMakeItAskMoreOften() {
        prepare();
        world.learn(2, world.row(1, 2));
        PartitionGate<String> gate = world.node(2).gate;
        gate.tick(world.nowNanos);
        world.learn(2, world.row(1, 2));
        assertThat(gate.nextWakeUpNanos()).isEqualTo(world.nowNanos + ASK);
    }

    @Test
    void whoHearsThatItsMoveWasCalledOffBeginsLikeAnyOtherHost() {
        prepare();
        PartitionEntry both = world.row(1, 2);
        world.learnAll(both);
        tellDirectly(2, "x");
        world.pass(1);
        world.arriveAll(2, 1);
        assertThat(world.stream(1, 2)).containsExactly(new Ended<>(moving.epoch(), 0));
        world.arriveAll(1, 2);
        assertThat(world.node(2).isRetiring).isTrue(); // what it was given is not its own
        assertThat(world.node(2).gate.view()).isEmpty();
        world.node(2).retired();
        world.node(2).start();
        world.settle();

        assertThat(world.node(2).epochAtStart).isEqualTo(both.epoch());
        assertThat(world.node(2).stateAtStart).isEmpty();
        assertThat(world.node(2).handled).containsExactly("x");
        assertThat(world.node(1).stateAtStart).isEqualTo("1.");
    }

    @Test
    void whoHasNoInstanceYetWhenItsMoveWasCalledOffBeginsAtOnce() {
        prepareHalf();
        PartitionEntry both = world.row(1, 2);
        world.learnAll(both);
        tellDirectly(2, "x");
        world.pass(1);
        world.arriveAll(2, 1);
        world.arriveAll(1, 2);
        assertThat(world.node(2).isCreating).isTrue();
        assertThat(world.node(2).isRetiring).isFalse();
        world.settle();

        assertThat(world.node(2).epochAtStart).isEqualTo(both.epoch());
        assertThat(world.node(2).stateAtStart).isEmpty();
        assertThat(world.node(2).handled).containsExactly("x");
    }

    @Test
    void whoIsInDoubtTakesItsTurnAllTheSameAndAsksNoMore() {
        prepare();
        world.learn(2, world.row(1, 2));
        world.pass(1);
        world.arriveAll(2, 1); // the old host knows of no other row, and that the new one is ready
        world.arriveAll(1, 2);
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        assertThat(world.node(2).gate.acts()).isTrue();
        assertThat(world.node(2).stateAtStart).isEqualTo("1.");
        assertThat(world.node(2).gate.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoIsInDoubtActsAloneWhenTheOldHostHasGone() {
        prepare();
        world.learnAll(world.row(1, 2));
        tellDirectly(2, "x");
        assertThat(world.node(2).gate.acts()).isFalse();
        world.remove(1);

        assertThat(world.node(2).gate.acts()).isTrue();
        assertThat(world.node(2).stateAtStart).isEqualTo("1.");
        assertThat(world.node(2).mailbox).containsExactly("x");
        assertThat(world.node(2).gate.view()).isEmpty();
    }

    /** The word is faster than the row, and it is the row that says who hosts. */
    @Test
    void whoIsNotInDoubtWaitsForTheRowBeforeItGivesUp() {
        prepare();
        world.learn(1, world.row(1));
        world.node(2).gate.onGateMessage(world.node(1).id, new Ended<>(moving.epoch(), 0), world.nowNanos);
        assertThat(world.node(2).isRetiring).isFalse();
        assertThat(world.node(2).gate.view()).isPresent();
        assertThat(world.node(2).gate.acts()).isFalse();
    }

    @Test
    void aWordAboutAnotherMoveDoesNotEndTheDoubt() {
        prepare();
        world.learn(2, world.row(1, 2));
        world.node(2).gate.onGateMessage(world.node(1).id, new Ended<>(moving.epoch() + 5, 0), world.nowNanos);
        world.node(2).gate.onGateMessage(world.node(3).id, new Ended<>(moving.epoch(), 0), world.nowNanos);
        assertThat(world.node(2).gate.view()).isPresent();
        assertThat(world.node(2).isRetiring).isFalse();
    }

    // ---- What the old host answers.

    @Test
    void whoHasNotHeardOfAMoveDoesNotCallItOff() {
        long unheard = world.moving(1, 2).epoch();
        askFirst(unheard, 2);
        assertThat(world.stream(1, 2)).isEmpty();
    }

    @Test
    void whoIsToHandOverAndCannotBeginYetDoesNotCallItOff() {
        world.node(1).gate.onHeld(true, world.nowNanos); // it may not be a member any more
        moving = world.moving(1, 2);
        world.learnAll(moving);
        askFirst(moving.epoch(), 2);
        assertThat(world.stream(1, 2)).isEmpty();
    }

    /** Two leaders on two sides of a split may use an epoch twice. */
    @Test
    void aRowOfTheSameEpochThatDoesNotSpeakOfTheMoveHasCalledItOff() {
        PartitionEntry row = world.row(1);
        world.learnAll(row);
        askFirst(row.epoch(), 2);
        assertThat(world.stream(1, 2)).containsExactly(new Ended<>(row.epoch(), 0));
    }

    @Test
    void whoMovesAnInstanceAgainStillSaysThatTheMoveBeforeWasCalledOff() {
        prepare();
        world.learnAll(world.row(1, 2));
        world.node(1).start();
        world.learnAll(world.movingOneOf(1, 3, 2));
        assertThat(world.node(1).gate.view()).isPresent();
        world.pass(1);
        world.arriveAll(2, 1);
        world.arriveAll(1, 2);
        assertThat(world.node(2).isRetiring).isTrue();
    }

    @Test
    void whoStillHandsOverDoesNotCallThatOffForAnybody() {
        moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.learn(1, world.moved(moving));
        world.stream(1, 3).clear();
        assertThat(world.node(1).gate.view()).isPresent();
        askFirst(moving.epoch(), 3);
        assertThat(world.stream(1, 3)).isEmpty();
    }

    private void askFirst(long move, int from) {
        world.node(1)
                .gate
                .onGateMessage(world.node(from).id, new Confirmed<>(move, 0, false, false, ""), world.nowNanos);
    }

    // ---- Old hosts that have gone.

    @Test
    void whoWasGivenOnlyAPartOfTheStateBeginsWithoutItWhenTheOldHostHasGone() {
        prepareHalf();
        tellDirectly(2, "x");
        world.remove(1);
        assertThat(world.node(2).isCreating).isFalse();
        PartitionEntry alone = world.row(2);
        world.learnAll(alone);
        assertThat(world.node(2).isCreating).isTrue();
        assertThat(world.node(2).mayAct).isTrue();
        world.settle();

        assertThat(world.node(2).epochAtStart).isEqualTo(alone.epoch());
        assertThat(world.node(2).stateAtStart).isEmpty();
        assertThat(world.node(2).handled).containsExactly("x");
        assertThat(world.node(2).gate.view()).isEmpty();
    }

    @Test
    void oneThatEndedBeforeItsTurnIsStartedAgainWithItsStateWhenTheOldHostHasGone() {
        prepare();
        world.node(2).isRunning = false;
        world.node(2).gate.onEnded(world.nowNanos);
        world.remove(1);
        world.learnAll(world.row(2));
        world.pass(SECOND);
        assertThat(world.node(2).isCreating).isTrue();
        world.node(2).start();
        assertThat(world.node(2).stateAtStart).isEqualTo("1.");
    }

    @Test
    void whenTheOldHostGoesWhileTheInstanceIsStartedAgainNothingIsHeldBack() {
        moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.learn(2, world.moved(moving));
        tellDirectly(2, "x"); // waits for the last word of its sender by way of the old host
        world.node(2).isRunning = false;
        world.node(2).gate.onEnded(world.nowNanos);
        world.remove(1);
        world.pass(SECOND);
        world.node(2).start();
        assertThat(world.node(2).mailbox).containsExactly("x");
        assertThat(world.node(2).gate.view()).isEmpty();
    }
}

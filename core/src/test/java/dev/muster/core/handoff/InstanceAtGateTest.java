package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import org.junit.jupiter.api.Test;

/** When an instance is made at a gate, in which epoch and with what, and when it ends. */
class InstanceAtGateTest {
    private static final long SECOND = 1_000_000_000L;

    private static GateWorld world() {
        return new GateWorld(4, HandoffPolicy.singleton(), HandoffSettings.defaults());
    }

    private static GateWorld hosted() {
        return hosted(HandoffPolicy.singleton());
    }

    /** The instance has handled a message. */
    private static GateWorld hosted(HandoffPolicy policy) {
        GateWorld world = GateWorld.hosted(4, policy);
        world.node(3).tell("1");
        world.settle();
        return world;
    }

    private static void startFails(GateWorld world, int node) {
        world.node(node).isCreating = false;
        world.node(node).gate.onStartFailed("no database here", world.nowNanos);
    }

    private static void ends(GateWorld world, int node) {
        world.node(node).isRunning = false;
        world.node(node).gate.onEnded(world.nowNanos);
    }

    // ---- Epochs.

    /** What it does comes before all that the one does which takes over. */
    @Test
    void oneThatIsAboutToMoveActsInTheEpochBeforeThatOfItsRow() {
        GateWorld world = world();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        assertThat(world.node(1).epochAtStart).isEqualTo(moving.epoch() - 1);
        world.settle();
        assertThat(world.node(2).epochAtStart).isEqualTo(moving.epoch());
    }

    @Test
    void oneThatStaysWhileAnotherMovesActsInTheEpochOfItsRow() {
        GateWorld world = world();
        PartitionEntry moving = world.movingOneOf(2, 3, 1);
        world.learnAll(moving);
        assertThat(world.node(1).epochAtStart).isEqualTo(moving.epoch());
        assertThat(world.node(2).epochAtStart).isEqualTo(moving.epoch() - 1);
    }

    // ---- Moves that wait for the instance.

    @Test
    void aMoveBeginsAsSoonAsTheInstanceIsThere() {
        GateWorld world = world();
        world.learnAll(world.moving(1, 2));
        assertThat(world.node(1).isRetiring).isFalse();
        world.node(1).start();
        assertThat(world.node(1).isRetiring).isTrue();
    }

    @Test
    void aMoveBeginsAsSoonAsItIsKnownThatTheInstanceDoesNotStart() {
        GateWorld world = world();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        startFails(world, 1);
        assertThat(world.stream(1, 2)).isNotEmpty();
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
    }

    @Test
    void aMoveThatWasCalledOffBeforeItBeganIsNotWaitedFor() {
        GateWorld world = world();
        world.learnAll(world.moving(1, 2));
        long due =
                world.nowNanos + HandoffSettings.defaults().migrationTimeout().toNanos();
        assertThat(world.node(1).gate.nextWakeUpNanos()).isEqualTo(due);
        world.learnAll(world.row(1));
        assertThat(world.node(1).gate.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        world.pass(30 * SECOND);
        assertThat(world.node(1).reports).isEmpty();
    }

    /** The old host may still hand over what others had sent to it, and that comes first. */
    @Test
    void aMoveWaitsUntilTheOneBeforeIsOverAlsoWhereTheInstanceHasEnded() {
        GateWorld world = hosted();
        PartitionEntry first = world.moving(1, 2);
        world.learnAll(first);
        world.settle();
        world.learn(2, world.moved(first));
        ends(world, 2);
        world.learn(2, world.moving(2, 3));
        assertThat(world.node(2).gate.view().orElseThrow().move()).isEqualTo(first.epoch());
        assertThat(world.stream(2, 3)).isEmpty();
    }

    // ---- Instances that could not start, or ended by themselves.

    @Test
    void oneThatEndedByItselfBeginsASecondLaterWithoutWhatItKnew() {
        GateWorld world = hosted();
        ends(world, 1);
        PartitionGate<String> gate = world.node(1).gate;
        long due = world.nowNanos + SECOND;
        assertThat(gate.nextWakeUpNanos()).isEqualTo(due);
        gate.tick(due - 1);
        assertThat(world.node(1).isCreating).isFalse();
        gate.tick(due);
        assertThat(world.node(1).isCreating).isTrue();
        world.node(1).start();
        assertThat(world.node(1).stateAtStart).isEmpty();
    }

    @Test
    void oneThatHasStartedIsTriedAgainAsSoonAsAtFirstTheNextTime() {
        GateWorld world = hosted();
        ends(world, 1);
        world.pass(SECOND);
        startFails(world, 1);
        assertThat(world.node(1).gate.nextWakeUpNanos()).isEqualTo(world.nowNanos + 2 * SECOND);
        world.pass(2 * SECOND);
        world.node(1).start();
        ends(world, 1);
        assertThat(world.node(1).gate.nextWakeUpNanos()).isEqualTo(world.nowNanos + SECOND);
    }

    /** It is not held against it for ever: what comes waits for it, as for any other. */
    @Test
    void whatComesForOneThatHadFailedOnceAndIsToBeginAgainByARowWaits() {
        GateWorld world = hosted();
        ends(world, 1);
        world.pass(SECOND);
        world.node(1).start();
        world.learnAll(world.moving(1, 2));
        world.settle();
        world.remove(2); // it had its turn, so whoever leads says when somebody may begin again
        world.node(3).tell("2");
        world.arriveAll(3, 1);
        assertThat(world.node(1).gate.waiting()).containsExactly("2");
        assertThat(world.node(1).dropped).isEmpty();
    }

    @Test
    void oneThatTakesItsStateBackAndDoesNotStartKeepsItForTheNextTime() {
        GateWorld world = takenBackAndNotStarted();
        world.pass(SECOND);
        world.node(1).start();
        assertThat(world.node(1).stateAtStart).isEqualTo("1.");
    }

    @Test
    void aNewRowBringsOneThatDidNotStartBackAtOnceWithItsState() {
        GateWorld world = takenBackAndNotStarted();
        world.learnAll(world.row(1));
        assertThat(world.node(1).isCreating).isTrue();
        world.node(1).start();
        assertThat(world.node(1).stateAtStart).isEqualTo("1.");
    }

    @Test
    void whatOneThatDidNotStartHadIsForgottenWhenSomebodyElseHosts() {
        GateWorld world = takenBackAndNotStarted();
        world.learnAll(world.row(2));
        world.settle();
        world.learnAll(world.row(1));
        world.settle();
        assertThat(world.node(1).isRunning).isTrue();
        assertThat(world.node(1).stateAtStart).isEmpty();
    }

    private static GateWorld takenBackAndNotStarted() {
        GateWorld world = hosted();
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.learnAll(world.row(1));
        startFails(world, 1);
        return world;
    }

    // ---- Instances that are asked to end.

    @Test
    void oneThatFinishesWhenTheMoveWasCalledOffMeanwhileGoesOnWithItsState() {
        GateWorld world = hosted();
        world.learnAll(world.moving(1, 2));
        PartitionEntry calledOff = world.row(1);
        world.learnAll(calledOff);
        world.node(1).retired();
        world.node(1).start();
        assertThat(world.node(1).epochAtStart).isEqualTo(calledOff.epoch());
        assertThat(world.node(1).stateAtStart).isEqualTo("1.");
    }

    @Test
    void oneThatCannotLeaveItsStateEndsAllTheSameWhenSomebodyElseHostsByNow() {
        GateWorld world = hosted();
        world.learnAll(world.moving(1, 2));
        world.learnAll(world.row(3));
        world.node(1).notRetired("it is too large");
        assertThat(world.node(1).isRetiring).isTrue();
        assertThat(world.node(1).gate.acts()).isFalse();
        world.settle();
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void oneThatCouldNotLeaveItsStateIsAskedAgainAtOnceWhereAnotherMoveWaits() {
        GateWorld world = hosted();
        world.learnAll(world.moving(1, 2));
        world.learnAll(world.row(1));
        PartitionEntry next = world.moving(1, 3);
        world.learnAll(next);
        world.node(1).notRetired("it is too large");
        assertThat(world.node(1).isRetiring).isTrue();
        world.settle();
        assertThat(world.node(1).reports).containsExactly(next.epoch() + " done");
        assertThat(world.node(3).stateAtStart).isEqualTo("1.");
    }

    @Test
    void oneThatIsThereOnlyWhenItIsNotWantedAnyMoreStillEnds() {
        GateWorld world = world();
        world.learnAll(world.row(1));
        world.learnAll(world.row(2));
        assertThat(world.node(1).isRetiring).isTrue();
        world.node(1).gate.onStarted(world.nowNanos); // it had been said before
        assertThat(world.node(1).gate.acts()).isFalse();
        assertThat(world.node(1).gate.isEnding()).isTrue();
        world.settle();
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    // ---- Other code.

    @Test
    void whereThePartitionBeginsAnewTheInstanceEndsAndTheNextOneGoesOnWithWhatWaits() {
        GateWorld world = hosted();
        world.node(3).tell("2");
        world.arriveAll(3, 1);
        world.node(1).gate.beginAnew();
        assertThat(world.node(1).isRetiring).isTrue();
        world.node(3).tell("3");
        world.settle();
        assertThat(world.node(1).isRunning).isTrue();
        assertThat(world.node(1).stateAtStart).isEmpty();
        assertThat(world.node(1).handled).containsExactly("1", "2", "3");
    }

    @Test
    void oneThatIsStillBeginningBeginsAnewToo() {
        GateWorld world = world();
        world.learnAll(world.row(1));
        world.node(1).gate.beginAnew();
        assertThat(world.node(1).isRetiring).isTrue();
    }

    @Test
    void whereNothingRunsNothingBeginsAnew() {
        GateWorld world = hosted();
        world.node(2).gate.beginAnew();
        assertThat(world.node(2).isRetiring).isFalse();
        ends(world, 1);
        world.node(1).gate.beginAnew();
        assertThat(world.node(1).isRetiring).isFalse();
    }

    @Test
    void oneThatMovesIsNotDisturbedByOtherCode() {
        GateWorld world = hosted(HandoffPolicy.ordered());
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.arriveAll(1, 2);
        world.node(1).gate.beginAnew();
        world.node(2).gate.beginAnew();
        assertThat(world.node(1).isRetiring).isFalse();
        assertThat(world.node(2).isRetiring).isFalse();
        world.learn(2, world.moved(moving)); // it hosts now, and its move is not over
        world.node(2).gate.beginAnew();
        assertThat(world.node(2).isRetiring).isFalse();
    }

    // ---- Ends of partitions.

    /** Somebody may want it again elsewhere, and wait for just that. */
    @Test
    void theEndIsReportedWhenTheInstanceIsGone() {
        GateWorld world = hosted();
        PartitionEntry deleted = world.deleted();
        world.learnAll(deleted);
        assertThat(world.node(1).isRetiring).isTrue();
        assertThat(world.node(1).ends).isEmpty();
        PartitionEntry nowhere = world.nowhere(); // it is wanted again, and waits
        world.learnAll(nowhere);
        assertThat(world.node(1).ends).isEmpty();
        world.node(1).retired();
        assertThat(world.node(1).ends).containsExactly(nowhere.epoch());
        assertThat(world.node(2).ends).isEmpty();
    }

    /** It may be wanted as a singleton again after that, and whoever leads waits for the one before. */
    @Test
    void theEndIsReportedAlsoIfItWasWantedMeanwhileAsOneThatNeedNotBeAlone() {
        GateWorld world = hosted();
        world.learnAll(world.deleted());
        PartitionEntry stateless = world.nowhere(HandoffPolicy.stateless());
        world.learnAll(stateless);
        world.node(1).retired();
        assertThat(world.node(1).ends).containsExactly(stateless.epoch());
    }

    @Test
    void theEndIsReportedAlsoIfTheRowWithoutItIsTheFirstThatNeedNotBeAlone() {
        GateWorld world = hosted();
        PartitionEntry stateless = world.nowhere(HandoffPolicy.stateless());
        world.learnAll(stateless); // that it ended in between was not seen
        world.node(1).retired();
        assertThat(world.node(1).ends).containsExactly(stateless.epoch());
    }

    @Test
    void theEndIsReportedAtOnceWhereNothingHasStarted() {
        GateWorld world = world();
        world.learnAll(world.row(1));
        startFails(world, 1);
        PartitionEntry deleted = world.deleted();
        world.learnAll(deleted);
        assertThat(world.node(1).ends).containsExactly(deleted.epoch());
        world.learnAll(world.deleted());
        assertThat(world.node(1).ends).hasSize(1);
    }

    @Test
    void anInstanceThatGoesWhileItIsWantedHereAgainIsNoEnd() {
        GateWorld world = hosted();
        world.learnAll(world.deleted());
        world.learnAll(world.row(1));
        world.node(1).retired();
        world.settle();
        assertThat(world.node(1).ends).isEmpty();
        assertThat(world.node(1).gate.acts()).isTrue();
    }

    @Test
    void aMoveIsNoEndAndOneThatNeedNotBeAloneIsNotWaitedFor() {
        GateWorld moving = hosted();
        PartitionEntry move = moving.moving(1, 2);
        moving.learnAll(move);
        moving.settle();
        moving.learnAll(moving.moved(move));
        moving.settle();
        GateWorld stateless = hosted(HandoffPolicy.stateless());
        stateless.learnAll(stateless.deleted());
        stateless.settle();
        for (GateWorld world : new GateWorld[] {moving, stateless}) {
            assertThat(world.node(1).ends).isEmpty();
            assertThat(world.node(2).ends).isEmpty();
        }
    }
}

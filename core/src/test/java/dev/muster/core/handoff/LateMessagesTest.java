package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateMessage.ArrivalAsked;
import dev.muster.core.handoff.GateMessage.PassedOn;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages that come to a node which does not host the partition, or not any more, or not yet. */
class LateMessagesTest {
    private static final long SECOND = 1_000_000_000L;

    private final GateWorld world = new GateWorld(4, HandoffPolicy.singleton(), HandoffSettings.defaults());

    @BeforeEach
    void host() {
        world.learnAll(world.row(1));
        world.settle();
    }

    private void tellDirectly(int to, String message) {
        world.stream(3, to).addLast(message);
        world.arriveAll(3, to);
    }

    // ---- Who was replaced.

    /** The row brings the partition back to who has had it: nothing is overtaken any more by what it passes on. */
    @Test
    void whoWasReplacedOnceAndTookOverAgainPassesOnWhatComesLate() {
        world.learnAll(world.row(2)); // without a move
        world.settle();
        PartitionEntry back = world.moving(2, 1);
        world.learnAll(back);
        world.settle();
        world.learnAll(world.moved(back));
        world.settle();
        moveAway(3);
        tellDirectly(1, "late");
        world.pass(SECOND);
        world.settle();
        assertThat(world.node(3).handled).containsExactly("late");
        assertThat(world.node(1).dropped).isEmpty();
    }

    @Test
    void whoWasReplacedOnceAndBeganAnewPassesOnWhatComesLate() {
        world.learnAll(world.row(2));
        world.settle();
        world.learnAll(world.row(1));
        world.settle();
        moveAway(3);
        tellDirectly(1, "late");
        world.pass(SECOND);
        world.settle();
        assertThat(world.node(3).handled).containsExactly("late");
        assertThat(world.node(1).dropped).isEmpty();
    }

    private void moveAway(int to) {
        PartitionEntry away = world.moving(1, to);
        world.learnAll(away);
        world.settle();
        world.learnAll(world.moved(away));
        world.settle();
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    /** What is sent to the one that begins after an end waits for no old host. */
    @Test
    void whatComesLateByAnOldHostDoesNotReachTheOneThatBeganAfterTheEndWhereOrderIsKept() {
        PartitionEntry away = world.moving(1, 2);
        world.learnAll(away);
        world.settle();
        world.node(4).tell("late"); // on its way for long
        world.learnAll(world.moved(away));
        world.learnAll(world.deleted());
        world.node(2).retired();
        world.learnAll(world.row(2));
        world.node(2).start();
        world.node(4).tell("next");
        world.arriveAll(4, 2);
        world.node(2).workAll();
        world.settle();
        world.pass(SECOND);
        world.settle();
        assertThat(world.node(2).handled).containsExactly("next");
        assertThat(world.node(1).dropped).containsExactly("late OUT_OF_ORDER");
    }

    /**
     * Under 2a the end does not wait for the move, and the next one begins while the old one is at its last message.
     */
    @Test
    void whatWaitsForTheEndOfAnInstanceInTheMiddleOfAMoveDoesNotReachTheOneThatBeganAfterTheEndOfThePartition() {
        GateWorld world = GateWorld.hosted(4, HandoffPolicy.ordered());
        PartitionEntry away = world.moving(1, 2);
        world.learnAll(away);
        world.arriveAll(1, 2);
        world.node(2).start();
        world.arriveAll(2, 1);
        assertThat(world.node(1).isRetiring).isTrue();
        world.node(4).tell("late");
        world.arriveAll(4, 1);
        world.learnAll(world.deleted());
        world.learnAll(world.row(3));
        world.node(3).start();
        world.node(4).tell("next");
        world.arriveAll(4, 3);
        world.node(3).workAll();
        world.node(1).retired();
        world.settle();
        assertThat(world.node(3).handled).containsExactly("next");
        assertThat(world.node(1).dropped).containsExactly("late OUT_OF_ORDER");
    }

    /** It has only begun to take over, and has nothing of it. */
    @Test
    void whatCameToANewHostWhoseMoveWasCalledOffIsPassedOn() {
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.arrive(1, 2);
        tellDirectly(2, "x");
        world.learnAll(world.row(1));
        assertThat(world.node(2).gate.isIdle()).isTrue();
        world.settle();
        assertThat(world.node(1).handled).containsExactly("x");
        assertThat(world.node(2).dropped).isEmpty();
    }

    /** Nothing keeps senders from the third one, so what is here might be overtaken. */
    @Test
    void whatCameToANewHostThatIsReplacedWithTheOldOneIsADeadLetterWhereOrderIsKept() {
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.arrive(1, 2);
        tellDirectly(2, "x");
        world.remove(1);
        world.learnAll(world.row(3));
        world.settle();
        assertThat(world.node(2).dropped).containsExactly("x OUT_OF_ORDER");
        assertThat(world.node(3).handled).isEmpty();
    }

    // ---- How they are passed on.

    @Test
    void aMessageThatWasPassedOnCountsByHowManyNodesItHasCome() {
        world.node(2).gate.onGateMessage(world.node(3).id, new PassedOn<>("x", 3), world.nowNanos);
        world.pass(SECOND);
        assertThat(world.stream(2, 1)).containsExactly(new PassedOn<>("x", 4));
    }

    @Test
    void aMessageIsPassedOnEightTimesAndThenDropped() {
        world.node(2).gate.onMessage(world.node(3).id, "last", PartitionGate.MOST_HOPS - 1, world.nowNanos);
        world.node(2).gate.onMessage(world.node(3).id, "lost", PartitionGate.MOST_HOPS, world.nowNanos);
        world.pass(SECOND);
        assertThat(world.stream(2, 1)).containsExactly(new PassedOn<>("last", PartitionGate.MOST_HOPS));
        assertThat(world.node(2).dropped).containsExactly("lost STOPPED");
    }

    @Test
    void aStrayWaitsForHalfASecondAndNoLonger() {
        tellDirectly(2, "x");
        PartitionGate<String> gate = world.node(2).gate;
        long due = world.nowNanos + Strays.PATIENCE_NANOS;
        assertThat(gate.nextWakeUpNanos()).isEqualTo(due);
        gate.tick(due - 1);
        assertThat(world.stream(2, 1)).isEmpty();
        gate.tick(due);
        assertThat(world.stream(2, 1)).hasSize(1);
        assertThat(gate.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aStrayForNowhereWaitsForExactlyTenSeconds() {
        world.learnAll(world.nowhere());
        world.settle();
        world.pass(60 * SECOND);
        tellDirectly(2, "x");
        PartitionGate<String> gate = world.node(2).gate;
        long end = world.nowNanos + Strays.LONG_PATIENCE_NANOS;
        for (long now = world.nowNanos; now < end; now += Strays.PATIENCE_NANOS) {
            gate.tick(now);
            assertThat(world.node(2).dropped).isEmpty();
        }
        gate.tick(end);
        assertThat(world.node(2).dropped).containsExactly("x STOPPED");
    }

    @Test
    void whereNothingWaitsNobodyIsWoken() {
        world.learnAll(world.nowhere());
        world.settle();
        assertThat(world.node(2).gate.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    // ---- Whether they have come, for one that goes.

    @Test
    void nobodyIsAskedWhatHasComeAsLongAsNobodyGoes() {
        tellDirectly(2, "x");
        world.pass(2 * SECOND);
        assertThat(world.stream(2, 1)).containsExactly(new PassedOn<>("x", 1));
        assertThat(world.node(2).gate.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoGoesIsWokenToAskOnlyWhereSomethingWasPassedOn() {
        world.node(2).gate.goes(world.nowNanos);
        assertThat(world.node(2).gate.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        tellDirectly(4, "x");
        world.pass(SECOND);
        world.node(4).gate.goes(world.nowNanos);
        assertThat(world.node(4).gate.nextWakeUpNanos()).isEqualTo(world.nowNanos);
    }

    @Test
    void whoGoesAsksAtOnce() {
        tellDirectly(2, "x");
        world.pass(SECOND);
        world.node(2).gate.goes(world.nowNanos);
        world.node(2).gate.tick(world.nowNanos);
        assertThat(world.stream(2, 1)).containsExactly(new PassedOn<>("x", 1), new ArrivalAsked<>(1));
    }

    /** It may take some time until a node that goes has gone. */
    @Test
    void whatIsPassedOnLongAfterANodeBeganToGoIsAskedForAtOnceAndWaitedFor() {
        PartitionGate<String> going = world.node(2).gate;
        going.goes(world.nowNanos);
        world.pass(60 * SECOND + 1);
        tellDirectly(2, "x");
        long passedOn = world.nowNanos + Strays.PATIENCE_NANOS;
        going.tick(passedOn);
        going.tick(passedOn + 1);
        assertThat(world.stream(2, 1)).containsExactly(new PassedOn<>("x", 1), new ArrivalAsked<>(1));
        going.tick(passedOn + 4 * SECOND);
        assertThat(going.owes()).isTrue();
        going.tick(passedOn + 5 * SECOND);
        assertThat(going.owes()).isFalse();
    }
}

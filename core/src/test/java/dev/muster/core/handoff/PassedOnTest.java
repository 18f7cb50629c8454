package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Messages that come where no instance is: they wait or are passed on, and who goes sees to them first. */
class PassedOnTest {
    private static final long SECOND = 1_000_000_000L;
    private static final HandoffPolicy SINGLETON = HandoffPolicy.singleton();

    @Test
    void aNodeThatDoesNotHostPassesOn() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.stream(3, 2).addLast("stray");
        world.settle();
        assertThat(world.handled(1)).isEmpty();
        world.pass(SECOND);
        world.settle();
        assertThat(world.handled(1)).containsExactly("stray");
    }

    /** It hears of its row late, and has heard before that the partition is nowhere. */
    @Test
    void whatComesToAFutureHostWaitsWhileThePartitionIsNowhere() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.learnAll(world.nowhere());
        world.settle();
        PartitionEntry next = world.row(2);
        world.learn(3, next);
        world.node(3).tell("early");
        world.settle();
        world.pass(3 * SECOND);
        world.learn(2, next);
        world.settle();
        assertThat(world.handled(2)).containsExactly("early");
    }

    /** It hears of its row late, and has heard before that the host of the partition was removed. */
    @Test
    void whatComesToAFutureHostWaitsWhileTheLastOneIsNoMemberAnyMore() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.remove(1);
        PartitionEntry next = world.row(2);
        world.learn(3, next);
        world.node(3).tell("early");
        world.settle();
        world.pass(3 * SECOND);
        world.learn(2, next);
        world.settle();
        assertThat(world.handled(2)).containsExactly("early");
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
        assertThat(world.handled(2)).containsExactly("early");
    }

    @Test
    void whatIsForNowhereDoesNotWaitForEver() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        assertThat(world.handled(1)).containsExactly("stray", "late");
    }

    @Test
    void whoGoesDoesNotWaitForThoseWhoDoNotAnswer() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.remove(1);
        PartitionEntry row = world.row(2);
        world.learn(3, row);
        world.node(3).tell("1");
        world.node(3).tell("2");
        world.arriveAll(3, 2);
        assertThat(world.node(2).dropped).isEmpty();
        world.learn(2, row);
        world.settle();
        assertThat(world.handled(2)).containsExactly("1", "2");
    }

    /** What the new host has no room for it must not drop: the old one has it too, and may take it back. */
    @Test
    void whatComesWhileNobodyHostsWaitsForWhoWill() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        assertThat(world.handled(2)).containsExactly("early");
    }

    @Test
    void whatNobodyEverHostsIsADeadLetter() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.learn(2, world.nowhere());
        world.stream(3, 2).addLast("early");
        world.arriveAll(3, 2);
        world.pass(11 * SECOND);
        assertThat(world.node(2).dropped).containsExactly("early STOPPED");
    }
}

package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.PassedOn;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an old host has to see to again of what it has handed over, and what not. */
class TakenBackTest {
    private static final long SECOND = 1_000_000_000L;

    private static GateWorld hosted(HandoffPolicy policy) {
        return GateWorld.hosted(4, policy);
    }

    /** The new host has had its turn and works; the old one knows that. */
    private static PartitionEntry handOver(GateWorld world) {
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        return moving;
    }

    private static void tellFirst(GateWorld world, String message) {
        world.stream(3, 1).addLast(message);
        world.arriveAll(3, 1);
    }

    /** A row by which 2 has handed over to 3, besides the hosts that there are. */
    private static PartitionEntry movedOn(GateWorld world, int from, int... hosts) {
        PartitionEntry begun = world.moving(from, 3);
        PartitionEntry row = world.row(hosts);
        return new PartitionEntry(
                row.path(),
                row.epoch(),
                row.writer(),
                row.spec(),
                row.instances(),
                false,
                begun.move().map(move -> move.done()));
    }

    // ---- New hosts that have gone.

    /** It has handed over in its turn only when it had all of this move, whether it could say so or not. */
    @Test
    void whatAHostHadThatHasHandedOverInItsTurnAndGoneIsNotSeenToAgain() {
        GateWorld world = handedOverButUnconfirmed();
        PartitionEntry movedOn = movedOn(world, 2, 3);
        world.learn(1, movedOn);
        assertThat(world.node(1).gate.view()).isPresent(); // it is asked as long as it lives
        world.remove(2);
        assertThat(world.node(1).gate.isIdle()).isTrue();
        assertThat(world.node(1).dropped).isEmpty();
        assertThat(world.stream(1, 3)).doesNotHaveAnyElementsOfTypes(PassedOn.class);
    }

    @Test
    void whatAHostHadThatHasGoneIsSeenToWhenSomebodyElseHasMovedSince() {
        GateWorld world = handedOverButUnconfirmed();
        world.learn(1, movedOn(world, 4, 3));
        world.remove(2);
        assertThat(world.node(1).dropped).containsExactly("late OUT_OF_ORDER");
    }

    @Test
    void whatAHostHadThatHasGoneIsSeenToWhileItsOwnMoveIsNotDone() {
        GateWorld world = handedOverButUnconfirmed();
        PartitionEntry begun = world.moving(2, 3);
        world.learn(1, begun);
        world.remove(2);
        assertThat(world.node(1).gate.view()).isPresent(); // the row still names it
        world.learn(1, world.row(3));
        assertThat(world.node(1).dropped).containsExactly("late OUT_OF_ORDER");
    }

    private static GateWorld handedOverButUnconfirmed() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        PartitionEntry moving = handOver(world);
        tellFirst(world, "late");
        world.learn(1, world.moved(moving));
        world.stream(1, 2).clear();
        world.stream(1, 3).clear();
        return world;
    }

    /** There are two instances, and the one that did not come to 2 in this way came to it in another one. */
    @Test
    void whatWasNotHandedOverStaysHereWhateverElseTheNewHostHasHandedOn() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        world.learnAll(world.moving(1, 2));
        tellFirst(world, "x");
        world.node(1).retired();
        world.learn(1, movedOn(world, 2, 1, 3));
        assertThat(world.node(1).isCreating).isTrue();
        world.node(1).start();
        assertThat(world.node(1).mailbox).containsExactly("x");
    }

    @Test
    void whenTheNewHostGoesAfterTheRowHasGoneElsewhereWhatItHadNotTakenFollows() {
        GateWorld world = hosted(HandoffPolicy.stateless());
        handOver(world);
        tellFirst(world, "late");
        world.stream(1, 2).clear();
        world.learnAll(world.row(3));
        world.remove(2);
        assertThat(world.node(1).gate.isIdle()).isTrue();
        world.settle();
        assertThat(world.node(3).handled).containsExactly("late");
    }

    @Test
    void whenTheNewHostGoesTheMoveIsOverWithoutAnyRow() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        handOver(world);
        tellFirst(world, "late");
        world.remove(2);
        assertThat(world.node(1).gate.view()).isEmpty();
        assertThat(world.node(1).gate.waiting()).containsExactly("late");
    }

    @Test
    void whenTheLastWhoHasNotSwitchedGoesTheNewHostHearsAtOnceThatAllHave() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        PartitionEntry moved = world.moved(handOver(world));
        for (int node : List.of(1, 2, 4)) {
            world.learn(node, moved);
        }
        world.settle();
        assertThat(world.node(2).gate.view()).isPresent();
        world.remove(3);
        world.arriveAll(1, 2);
        assertThat(world.node(2).gate.view()).isEmpty();
    }

    // ---- New hosts that take nothing more.

    @Test
    void whatTheNewHostSaysThatItHasTakenIsNotHandledAgain() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).start();
        world.arriveAll(2, 1);
        tellFirst(world, "taken");
        world.arriveAll(1, 2);
        world.node(2).workAll();
        world.stream(2, 1).clear(); // a broken connection, and so below
        tellFirst(world, "unheard");
        world.stream(1, 2).clear();
        world.learnAll(world.row(3));
        world.node(2).retired();
        world.settle();
        world.pass(SECOND);
        world.settle();
        assertThat(world.node(2).handled).containsExactly("taken");
        assertThat(world.node(3).handled).containsExactly("unheard");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void whoBecomesAHostAgainWhileItStillHandsOverBeginsWhenThatIsOver() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        PartitionEntry moved = world.moved(handOver(world));
        for (int node : List.of(1, 2, 4)) {
            world.learn(node, moved);
        }
        world.settle();
        PartitionEntry both = world.row(2, 1);
        for (int node : List.of(1, 2, 4)) {
            world.learn(node, both);
        }
        world.settle();
        world.pass(SECOND);
        assertThat(world.node(1).isRunning || world.node(1).isCreating).isFalse();
        world.stream(1, 3).clear();
        world.learn(3, moved); // it says that it has switched
        world.arriveAll(3, 1);
        world.arriveAll(1, 2);
        world.arriveAll(2, 1);
        assertThat(world.node(1).isCreating).isTrue();
        assertThat(world.node(1).epochAtStart).isEqualTo(both.epoch());
    }

    // ---- What goes with the move.

    /** Options 2a: the old one has gone on meanwhile. */
    @Test
    void whatTheOldInstanceHadNotComeToGoesToTheNewOneAlsoWithoutState() {
        GateWorld world = hosted(HandoffPolicy.ordered());
        world.learnAll(world.moving(1, 2));
        world.arriveAll(1, 2);
        world.node(2).start();
        tellFirst(world, "1");
        tellFirst(world, "2");
        world.node(1).work();
        world.arriveAll(2, 1);
        tellFirst(world, "3");
        world.node(1).retired();
        world.settle();
        assertThat(world.node(1).handled).containsExactly("1");
        assertThat(world.node(2).handled).containsExactly("2", "3");
    }

    /** Option 2c. */
    @Test
    void whereMovesDropTheRestOfTheMailboxIsDroppedTooAndWhatComesMeanwhile() {
        GateWorld world = hosted(HandoffPolicy.disposable());
        tellFirst(world, "rest");
        world.learnAll(world.moving(1, 2));
        tellFirst(world, "meanwhile");
        assertThat(world.node(1).dropped).containsExactly("meanwhile HANDOFF");
        world.node(1).retired();
        assertThat(world.node(1).dropped).containsExactly("meanwhile HANDOFF", "rest HANDOFF");
        world.settle();
        assertThat(world.node(2).handled).isEmpty();
    }

    /** Option 4b is about those who send to the old host in a move; one of no member is late for another reason. */
    @Test
    void whatComesFromNoMemberWhenAllIsSaidIsPassedOnEvenWhereMovesDrop() {
        GateWorld world = hosted(HandoffPolicy.disposable());
        PartitionEntry moved = world.moved(handOver(world));
        world.learnAll(moved);
        for (int node = 1; node <= 4; node++) {
            world.arriveAll(node, 1);
        }
        world.stream(1, 2).clear(); // the last word
        assertThat(world.node(1).gate.view()).isPresent();
        world.node(1).gate.onMessage(GateWorld.id(9), "x", 0, world.nowNanos);
        world.settle();
        assertThat(world.node(1).dropped).isEmpty();
        assertThat(world.node(2).handled).containsExactly("x");
    }

    @Test
    void anEmptyStateIsAStateToo() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).isRetiring = false;
        world.node(1).isRunning = false;
        world.node(1).gate.onRetired(List.of(), Optional.of(List.of()), world.nowNanos);
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        assertThat(world.node(2).gate.acts()).isTrue();
    }

    // ---- What is lost on the way.

    @Test
    void whatIsLostInTheMiddleIsSentAgainAtOnce() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        assertThat(world.stream(1, 2)).hasSize(3);
        world.arrive(1, 2);
        world.stream(1, 2).removeFirst();
        world.arriveAll(1, 2);
        world.arriveAll(2, 1);
        assertThat(world.stream(1, 2)).hasSize(2);
        assertThat(world.stream(1, 2)).allMatch(it -> it instanceof Handed<?>);
        world.arriveAll(1, 2);
        assertThat(world.node(2).isCreating).isTrue();
    }

    @Test
    void whatComesInOrderIsNotSentAgain() {
        GateWorld world = hosted(HandoffPolicy.singleton());
        world.learnAll(world.moving(1, 2));
        world.node(1).retired();
        world.arrive(1, 2);
        world.arriveAll(2, 1);
        assertThat(world.stream(1, 2)).hasSize(2);
    }
}

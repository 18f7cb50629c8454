package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateMessage.Ended;
import dev.muster.core.handoff.GateMessage.Handed;
import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.PartitionEntry;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** From whom a node takes something over, and when: a word of a move may be early, late or not meant for it. */
class HandoffBeginningsTest {
    private static final long SECOND = 1_000_000_000L;

    private final GateWorld world = new GateWorld(4, HandoffPolicy.singleton(), HandoffSettings.defaults());

    @BeforeEach
    void host() {
        world.learnAll(world.row(1));
        world.settle();
    }

    /** The first thing that an old host says in a move. */
    private void prepare(long move, int from, int to) {
        Item<String> item = new Item.Prepare<>(HandoffPolicy.singleton(), false);
        world.node(to).gate.onGateMessage(world.node(from).id, new Handed<>(move, 1, item), world.nowNanos);
    }

    private void assertRefused(int from, int to) {
        assertThat(world.stream(to, from)).isEmpty();
        assertThat(world.node(to).isCreating).isFalse();
        assertThat(world.node(to).gate.view()).isEmpty();
    }

    private void tellDirectly(int to, String message) {
        world.stream(3, to).addLast(message);
        world.arriveAll(3, to);
    }

    @Test
    void theOldHostMayBeFasterThanTheTable() {
        world.learn(1, world.moving(1, 2));
        world.settle();
        assertThat(world.node(2).gate.acts()).isTrue();
    }

    @Test
    void whatIsHandedToSomebodyElseThanTheRowSaysIsNotTaken() {
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        prepare(moving.epoch(), 1, 3);
        assertRefused(1, 3);
    }

    @Test
    void whatIsHandedOverBySomebodyElseThanTheRowSaysIsNotTaken() {
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        prepare(moving.epoch(), 3, 2);
        assertRefused(3, 2);
    }

    @Test
    void whatBelongsToAMoveBeforeTheOneOfTheRowIsNotTaken() {
        PartitionEntry missed = world.moving(1, 2);
        world.learn(2, world.moving(1, 2));
        prepare(missed.epoch(), 1, 2);
        assertRefused(1, 2);
    }

    @Test
    void whatBelongsToAMoveThatIsOverByTheRowIsNotTaken() {
        PartitionEntry missed = world.moving(1, 2);
        world.learn(2, world.row(1));
        prepare(missed.epoch(), 1, 2);
        assertRefused(1, 2);
    }

    @Test
    void whatIsHandedOverByNoMemberIsNotTaken() {
        long move = world.moving(1, 2).epoch();
        world.node(2).gate.onMembers(new TreeSet<>(List.of(GateWorld.id(2), GateWorld.id(3))), world.nowNanos);
        prepare(move, 1, 2);
        assertRefused(1, 2);
    }

    @Test
    void aStrangerDoesNotTakeThePlaceOfTheOldHostInItsMove() {
        PartitionEntry moving = world.moving(1, 2);
        world.learn(1, moving);
        world.node(1).retired();
        world.arrive(1, 2); // the state is still to come
        prepare(moving.epoch(), 3, 2);
        assertThat(world.node(2).gate.view().orElseThrow().from()).isEqualTo(world.node(1).id);
        assertThat(world.stream(2, 3)).isEmpty();
        assertThat(world.node(2).isCreating).isFalse();
    }

    @Test
    void anEarlierMoveDoesNotTakeThePlaceOfALaterOne() {
        long earlier = world.moving(3, 2).epoch();
        PartitionEntry moving = world.moving(1, 2);
        world.learn(1, moving);
        world.node(1).retired();
        world.arrive(1, 2);
        prepare(earlier, 3, 2);
        assertThat(world.node(2).gate.view().orElseThrow().move()).isEqualTo(moving.epoch());
    }

    // ---- Rows that were missed.

    /** It has heard of the first move, and neither that it was called off nor of the second one. */
    @Test
    void aLaterMoveTakesThePlaceOfOneWhoseEndWasNotHeardOf() {
        PartitionEntry first = world.moving(1, 2);
        world.learnAll(first);
        world.node(1).retired();
        world.arrive(1, 2);
        world.stream(1, 2).clear();
        world.stream(2, 1).clear();
        tellDirectly(2, "x");
        world.learn(1, world.row(1));
        world.node(1).start();
        PartitionEntry second = world.moving(1, 2);
        world.learn(1, second);
        world.settle();
        assertThat(world.node(2).gate.view().orElseThrow().move()).isEqualTo(second.epoch());
        prepare(first.epoch(), 1, 2); // it was long under way
        assertThat(world.stream(2, 1)).containsExactly(new Ended<>(first.epoch(), 0));

        world.learnAll(world.moved(second));
        world.settle();
        assertThat(world.node(2).handled).containsExactly("x");
    }

    /** There is an instance with what was left in the first move; it has to end before there is another one. */
    @Test
    void aLaterMoveBeginsOnlyWhenTheInstanceOfTheOneBeforeHasEnded() {
        PartitionEntry first = world.moving(1, 2);
        world.learnAll(first);
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).start();
        world.stream(2, 1).clear();
        world.learn(1, world.row(1));
        world.node(1).start();
        world.node(3).tell("later");
        world.arriveAll(3, 1);
        world.node(1).workAll();
        PartitionEntry second = world.moving(1, 2);
        world.learn(1, second);
        world.node(1).retired();
        world.arriveAll(1, 2);
        assertThat(world.node(2).gate.view().orElseThrow().move()).isEqualTo(first.epoch());
        assertThat(world.stream(2, 1)).isEmpty();

        world.learn(2, second);
        assertThat(world.node(2).isRetiring).isTrue();
        world.node(2).retired();
        world.pass(SECOND); // what was handed over is said again
        world.settle();
        assertThat(world.node(1).reports).containsExactly(second.epoch() + " done");
        assertThat(world.node(2).stateAtStart).isEqualTo("later.");
    }

    @Test
    void aHostThatMissedThatItsMoveWasCalledOffHandsOverInTheNextOne() {
        GateWorld stateless = new GateWorld(4, HandoffPolicy.ordered(), HandoffSettings.defaults());
        stateless.learnAll(stateless.row(1));
        stateless.settle();
        stateless.learnAll(stateless.moving(1, 2));
        stateless.arriveAll(1, 2);
        PartitionEntry next = stateless.moving(1, 3);
        stateless.learnAll(next);
        stateless.settle();
        assertThat(stateless.node(1).reports).containsExactly(next.epoch() + " done");
        assertThat(stateless.node(3).gate.acts()).isTrue();
        assertThat(stateless.node(2).gate.isIdle()).isTrue();
    }

    /** Another instance than the one that moves has found another host. */
    @Test
    void aRowThatSpeaksOfTheSameMoveAgainDoesNotDisturbIt() {
        world.node(3).tell("1");
        world.settle();
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        world.arriveAll(1, 2);
        PartitionEntry other = world.row(1, 3);
        PartitionEntry again = new PartitionEntry(
                other.path(), other.epoch(), other.writer(), other.spec(), other.instances(), false, moving.move());
        world.learnAll(again);
        assertThat(world.node(1).isCreating).isFalse();
        assertThat(world.node(2).gate.view().orElseThrow().move()).isEqualTo(moving.epoch());
        world.node(2).start();
        world.settle();
        assertThat(world.node(1).reports).containsExactly(moving.epoch() + " done");
        assertThat(world.node(2).stateAtStart).isEqualTo("1.");
    }

    /** Two leaders on two sides of a split may use an epoch twice; the row of the higher one counts. */
    @Test
    void aRowOfTheSameEpochThatDoesNotSpeakOfTheMoveEndsIt() {
        PartitionEntry moving = world.moving(1, 2);
        world.learn(1, moving);
        world.node(1).retired();
        world.arrive(1, 2);
        PartitionEntry counts = new PartitionEntry(
                moving.path(), moving.epoch(), GateWorld.id(4), moving.spec(), List.of(GateWorld.id(1)), false);
        world.learn(2, counts);
        assertThat(world.node(2).gate.isIdle()).isTrue();
    }

    @Test
    void anOlderRowDoesNotEndAMoveThatTheTableDoesNotKnowYet() {
        PartitionEntry late = world.row(1);
        PartitionEntry moving = world.moving(1, 2);
        world.learn(1, moving);
        world.node(1).retired();
        world.arrive(1, 2);
        world.learn(2, late);
        assertThat(world.node(2).gate.view().orElseThrow().move()).isEqualTo(moving.epoch());
    }

    // ---- Moves that have ended here.

    /** Or whoever takes over from here would begin while this one is still at work. */
    @Test
    void whoEndsSaysThatItTakesNothingMoreOnlyWhenItsInstanceHasEnded() {
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.node(1).retired();
        world.arriveAll(1, 2);
        world.node(2).start();
        world.stream(2, 1).clear();
        world.learn(2, world.row(3));
        assertThat(world.node(2).isRetiring).isTrue();
        prepare(moving.epoch(), 1, 2);
        assertThat(world.stream(2, 1)).doesNotHaveAnyElementsOfTypes(Ended.class);
        world.node(2).retired();
        prepare(moving.epoch(), 1, 2);
        assertThat(world.stream(2, 1)).endsWith(new Ended<>(moving.epoch(), 0));
    }

    // ---- What came before the move.

    @Test
    void whatCameBeforeTheFirstWordOfTheMoveKeepsItsPlace() {
        tellDirectly(2, "1");
        PartitionEntry moving = world.moving(1, 2);
        world.learn(1, moving);
        world.node(1).retired();
        world.arrive(1, 2);
        tellDirectly(2, "2");
        world.learnAll(moving);
        world.settle();
        world.learnAll(world.moved(moving));
        world.settle();
        assertThat(world.node(2).handled).containsExactly("1", "2");
    }
}

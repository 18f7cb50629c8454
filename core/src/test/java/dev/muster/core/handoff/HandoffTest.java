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

    @ParameterizedTest
    @MethodSource("policies")
    void withoutMessagesThePartitionMoves(HandoffPolicy policy) {
        GateWorld world = GateWorld.hosted(3, policy);
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
        assertThat(world.handled(2)).containsExactly("x");
    }

    /** What comes between the first step and the third. */
    @ParameterizedTest
    @MethodSource("policies")
    void theMigrationTransition(HandoffPolicy policy) {
        GateWorld world = GateWorld.hosted(3, policy);
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
        GateWorld world = GateWorld.hosted(3, policy);
        PartitionEntry moving = world.moving(1, 2);
        world.learnAll(moving);
        world.settle();
        world.node(3).tell("late");
        world.settle();
        if (policy.update() == Update.FORWARD) {
            assertThat(world.handled(2)).containsExactly("late");
            assertThat(world.node(1).dropped).isEmpty();
        } else {
            assertThat(world.handled(2)).isEmpty();
            assertThat(world.node(1).dropped).containsExactly("late HANDOFF");
        }
    }

    /** A message that takes the old way is overtaken by one that takes the new one, unless that waits. */
    @ParameterizedTest
    @MethodSource("policies")
    void theOrderOfOneSender(HandoffPolicy policy) {
        GateWorld world = GateWorld.hosted(3, policy);
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
        assertThat(world.handled(2)).isEqualTo(atOnce);
        world.learn(1, moved);
        world.learn(2, moved);
        world.settle();
        List<String> expected = policy.update() == Update.DROP
                ? List.of("2")
                : policy.arrival() == Arrival.PROCESS ? List.of("2", "1") : List.of("1", "2");
        assertThat(world.handled(2)).isEqualTo(expected);
    }

    @Test
    void theRestOfTheMailboxGoesFirst() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        assertThat(world.handled(1)).containsExactly("m0");
        assertThat(world.node(2).stateAtStart).isEqualTo("m0.");
        assertThat(world.handled(2)).containsExactly("m1", "m2", "m3", "m4", "m5", "m6");
    }

    /** The new one does nothing before the old one has ended, whatever has come. */
    @ParameterizedTest
    @MethodSource("policies")
    void theNewOneWaitsForItsTurn(HandoffPolicy policy) {
        GateWorld world = GateWorld.hosted(3, policy);
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

    @ParameterizedTest
    @MethodSource("policies")
    void whatWasLostOnTheWayIsSaidAgain(HandoffPolicy policy) {
        GateWorld world = GateWorld.hosted(3, policy);
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
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        assertThat(world.handled(2)).isEmpty();
        assertThat(world.node(1).gate.view().orElseThrow().waitingFor()).containsExactly(GateWorld.id(3));
        world.pass(SECOND);
        world.settle();
        assertThat(world.handled(2)).containsExactly("x");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void onlyAsMuchIsUnderWayAsOthersCanBear() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
        world.learnAll(world.moving(1, 2));
        String large = "x".repeat(50 * 1024);
        for (int i = 0; i < 10; i++) {
            world.node(1).mailbox.add(large + i);
        }
        world.node(1).retired();
        assertThat(world.stream(1, 2)).hasSize(1 + 2 + 2); // the preparation, the state and two messages
        world.settle();
        assertThat(world.handled(2)).hasSize(10).last().isEqualTo(large + 9);
    }

    /** The order of what they have sent is not given up for a word that may still come; but somebody should know. */
    @Test
    void whoDoesNotSwitchForLongIsSpokenOf() {
        GateWorld world = GateWorld.hosted(3, SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 100, 1 << 20));
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
        assertThat(partitions.get(0).handled(2)).containsExactly("m0", "m1", "m2");
        tellThree(partitions.get(4));
        assertThat(partitions.get(4).node(1).dropped).hasSize(3);
        partitions.get(4).settle();
        assertThat(partitions.get(4).handled(2)).containsExactly("m0", "m1", "m2");
    }

    private static void tellThree(GateWorld world) {
        for (int i = 0; i < 3; i++) {
            world.node(3).tell("m" + i);
        }
        world.arriveAll(3, 1);
    }

    @Test
    void tooManyMessagesAreDeadLettersTheNewestFirst() {
        GateWorld world = GateWorld.hosted(3, SINGLETON, new HandoffSettings(Duration.ofSeconds(5), 3, 1 << 20));
        world.learnAll(world.moving(1, 2));
        for (int i = 0; i < 5; i++) {
            world.node(3).tell("m" + i);
        }
        world.arriveAll(3, 1);
        assertThat(world.node(1).dropped).containsExactly("m3 BUFFER_FULL", "m4 BUFFER_FULL");
        world.settle();
        assertThat(world.handled(2)).containsExactly("m0", "m1", "m2");
    }

    /** Moves to 2 until that one is through with the move, and all that it says to 1 in the end is lost. */
    private static GateWorld movedWithoutAWord(String late) {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        assertThat(world.handled(2)).containsExactly(late);
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
        assertThat(world.handled(2)).containsExactly("late");
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
        assertThat(world.handled(2)).containsExactly("late");
        assertThat(world.handled(3)).isEmpty();
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void whatComesFromNowhereWhenAllHaveSwitchedIsPassedOn() {
        GateWorld world = movedWithoutAWord("late");
        world.node(1).gate.onMessage(GateWorld.id(9), "later", 0, world.nowNanos);
        world.pass(SECOND);
        world.settle();
        assertThat(world.handled(2)).containsExactly("late", "later");
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void thereAndBackAgainInOrder() {
        GateWorld world = GateWorld.hosted(3, SINGLETON);
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
        List<String> all = new ArrayList<>(world.handled(1));
        all.addAll(world.handled(2));
        assertThat(all).hasSize(sent).doesNotHaveDuplicates();
        for (int node = 1; node <= 2; node++) {
            List<Integer> numbers = world.handled(node).stream()
                    .map(it -> Integer.parseInt(it.substring(1)))
                    .toList();
            assertThat(numbers).isSorted();
        }
        assertThat(world.node(host).stateAtStart).contains("m");
    }
}

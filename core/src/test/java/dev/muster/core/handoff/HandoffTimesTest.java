package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateMessage.Asked;
import dev.muster.core.handoff.GateMessage.RouteAsked;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.PartitionEntry;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When the old host asks, gives up and speaks of those who are silent. */
class HandoffTimesTest {
    private static final long MILLI = 1_000_000L;
    private static final long ASK = HandoffSource.ASK_NANOS;

    static List<HandoffPolicy> policies() {
        return List.of(HandoffPolicy.ordered(), HandoffPolicy.singleton());
    }

    private static GateWorld moving(HandoffPolicy policy, Duration timeout) {
        GateWorld world = new GateWorld(3, policy, new HandoffSettings(timeout, 100, 1 << 20));
        world.learnAll(world.row(1));
        world.settle();
        world.learnAll(world.moving(1, 2));
        if (world.node(1).isRetiring) {
            world.node(1).retired();
        }
        return world;
    }

    private static GateWorld moving(HandoffPolicy policy) {
        return moving(policy, Duration.ofSeconds(5));
    }

    private static PartitionEntry moved(GateWorld world) {
        return world.moved(world.node(1).route.row().orElseThrow());
    }

    // ---- How far the new host is.

    @ParameterizedTest
    @MethodSource("policies")
    void aNewHostWhoseWordThatItIsReadyWasLostIsAsked(HandoffPolicy policy) {
        GateWorld world = moving(policy);
        world.arriveAll(1, 2);
        world.arriveAll(2, 1); // it has all that it needs
        world.node(2).start();
        world.stream(2, 1).clear();
        world.pass(300 * MILLI);
        assertThat(world.stream(1, 2)).hasSize(1).allMatch(it -> it instanceof Asked<?>);
        world.settle();
        assertThat(world.node(1).reports).singleElement().asString().endsWith(" done");
    }

    @ParameterizedTest
    @MethodSource("policies")
    void onlyTheOldHostIsAnswered(HandoffPolicy policy) {
        GateWorld world = moving(policy);
        long move = world.node(1).gate.view().orElseThrow().move();
        world.arriveAll(1, 2);
        world.stream(2, 1).clear();
        world.node(2).gate.onGateMessage(GateWorld.id(3), new Asked<>(move), world.nowNanos);
        world.node(2).gate.onGateMessage(GateWorld.id(1), new Asked<>(move + 1), world.nowNanos);
        assertThat(world.stream(2, 1)).isEmpty();
        assertThat(world.stream(2, 3)).isEmpty();
        world.node(2).gate.onGateMessage(GateWorld.id(1), new Asked<>(move), world.nowNanos);
        assertThat(world.stream(2, 1)).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void whoHasGivenUpAsksNoMore(HandoffPolicy policy) {
        GateWorld world = moving(policy);
        world.arriveAll(1, 2);
        world.arriveAll(2, 1);
        world.pass(5_000 * MILLI);
        assertThat(world.node(1).reports).hasSize(1);
        world.stream(1, 2).clear();
        world.pass(20_000 * MILLI);
        assertThat(world.stream(1, 2)).isEmpty();
        assertThat(world.node(1).gate.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoHasHandedOverDoesNotAskHowFarTheNewHostIs() {
        GateWorld world = moving(HandoffPolicy.singleton());
        world.settle();
        world.pass(10_000 * MILLI);
        assertThat(world.stream(1, 2)).allMatch(it -> it instanceof RouteAsked<?>);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aStepThatTakesLongerThanItsTimeIsGivenUpAtOnce(HandoffPolicy policy) {
        GateWorld world = moving(policy);
        long due = world.nowNanos + 5_000 * MILLI;
        PartitionGate<String> gate = world.node(1).gate;
        gate.tick(due - 1);
        assertThat(world.node(1).reports).isEmpty();
        gate.tick(due);
        assertThat(world.node(1).reports).hasSize(1);
    }

    @Test
    void aMoveThatDoesNotBeginInTheTimeOfAStepIsGivenUpAtOnce() {
        GateWorld world = new GateWorld(3, HandoffPolicy.singleton(), HandoffSettings.defaults());
        world.learnAll(world.moving(1, 2)); // the instance is still being made
        long due = world.nowNanos + 15_000 * MILLI;
        PartitionGate<String> gate = world.node(1).gate;
        gate.tick(due - 1);
        assertThat(world.node(1).reports).isEmpty();
        gate.tick(due);
        assertThat(world.node(1).reports).singleElement().asString().endsWith("its instance is busy");
    }

    // ---- Who has not switched.

    @Test
    void whoHasNotSwitchedIsAskedTwiceASecondUntilItHas() {
        GateWorld world = moving(HandoffPolicy.singleton());
        world.settle();
        PartitionGate<String> gate = world.node(1).gate;
        long begin = world.nowNanos;
        gate.tick(begin + ASK - 1);
        assertThat(world.stream(1, 3)).isEmpty();
        gate.tick(begin + ASK);
        assertThat(world.stream(1, 3)).hasSize(1);
        gate.tick(begin + 2 * ASK - 1);
        assertThat(world.stream(1, 3)).hasSize(1);
        gate.tick(begin + 2 * ASK);
        assertThat(world.stream(1, 3)).hasSize(2);
        assertThat(gate.nextWakeUpNanos()).isEqualTo(begin + 3 * ASK);
    }

    /** It came after that, and by a table that names the new host. */
    @Test
    void whenAllHaveSwitchedWhoComesLaterIsNotAskedAgainAndAgain() {
        GateWorld world = moving(HandoffPolicy.singleton());
        world.settle();
        world.learnAll(moved(world));
        for (int node = 1; node <= 3; node++) {
            world.arriveAll(node, 1);
        }
        assertThat(world.node(1).gate.view()).isPresent(); // the new host has not got the last word
        TreeSet<NodeId> more = new TreeSet<>(world.nodes.keySet());
        more.add(GateWorld.id(4));
        world.node(1).gate.onMembers(more, world.nowNanos);
        world.pass(3 * ASK);
        assertThat(world.stream(1, 4)).hasSizeLessThanOrEqualTo(1);
        world.settle();
        assertThat(world.node(1).gate.isIdle()).isTrue();
    }

    @Test
    void whoIsSilentIsSpokenOfAfterExactlyFourSteps() {
        GateWorld world = moving(HandoffPolicy.singleton());
        world.settle();
        PartitionGate<String> gate = world.node(1).gate;
        long due = world.nowNanos + 20_000 * MILLI;
        gate.tick(due - 1);
        assertThat(world.node(1).reports).hasSize(1);
        gate.tick(due);
        assertThat(world.node(1).reports).hasSize(2).last().asString().endsWith(" still waits for 3");
    }

    @Test
    void whoIsSilentIsSpokenOfInTimeAlsoWhereStepsAreShort() {
        GateWorld world = moving(HandoffPolicy.singleton(), Duration.ofMillis(100));
        world.settle();
        world.node(1).gate.tick(world.nowNanos);
        assertThat(world.node(1).gate.nextWakeUpNanos()).isEqualTo(world.nowNanos + 400 * MILLI);
    }
}

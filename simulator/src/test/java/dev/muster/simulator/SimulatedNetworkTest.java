package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.ClusterRules;
import dev.muster.core.ClusterSettings;
import dev.muster.core.exchange.HeartbeatMessage.Heartbeat;
import dev.muster.core.exchange.Input;
import dev.muster.core.state.NodeId;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.Step;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.fault.FaultSchedule;
import dev.muster.simulator.plan.LinkProfile;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.TimerHabit;
import dev.muster.simulator.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Sends numbered messages from a stranger to a node, and looks at what arrives when. */
class SimulatedNetworkTest {
    private static final long SECOND = 1_000_000_000;

    private final List<Long> arrived = new ArrayList<>();
    private final World world = new World(plan(), List.of(new Recorder()), ClusterRules.STANDARD, new Trace());
    private final SimulatedNode sender = world.startHostile(RunPlan.addressOf(7), 7);
    private long next;

    SimulatedNetworkTest() {
        world.start(0);
        world.runUntil(SECOND);
    }

    private final class Recorder implements Checker {
        @Override
        public void onStep(Step step) {
            if (step.input() instanceof Input.MessageReceived received
                    && received.from().equals(new NodeId(RunPlan.addressOf(7), 7))
                    && received.message() instanceof Heartbeat heartbeat) {
                arrived.add(heartbeat.sequence());
            }
        }
    }

    private static RunPlan plan() {
        return new RunPlan(
                1,
                ClusterSettings.defaults(),
                List.of(),
                LinkProfile.REGION,
                TimerHabit.EXACT,
                List.of(FaultKind.DUPLICATES),
                FaultSchedule.NONE,
                0,
                false,
                false,
                0,
                0);
    }

    private void send(int count) {
        for (int i = 0; i < count; i++) {
            world.network().send(sender, RunPlan.addressOf(0), new Heartbeat(next++, 0));
        }
    }

    private void sendFor(long nanos) {
        for (long until = world.nowNanos() + nanos; world.nowNanos() < until; ) {
            send(1);
            world.runUntil(world.nowNanos() + SECOND / 10);
        }
    }

    private void runFor(long nanos) {
        world.runUntil(world.nowNanos() + nanos);
    }

    private Place receiver() {
        return world.network().place(RunPlan.addressOf(0));
    }

    private List<Long> all() {
        return LongStream.range(0, next).boxed().toList();
    }

    @Test
    void messagesNeverOvertakeEachOther() {
        send(1_000);
        runFor(SECOND);

        assertThat(arrived).isEqualTo(all());
    }

    @Test
    void moderateLossOnlyMakesThemLate() {
        world.network().setLoss(0.1);
        sendFor(20 * SECOND);
        runFor(20 * SECOND);

        assertThat(arrived).isEqualTo(all());
    }

    @Test
    void heavyLossBreaksTheConnectionAndLosesWhatWasInFlightInOnePiece() {
        world.network().setLoss(0.8);
        sendFor(60 * SECOND);
        world.network().setLoss(0);
        sendFor(30 * SECOND);
        runFor(20 * SECOND);

        assertThat(arrived).isSorted().doesNotHaveDuplicates().hasSizeLessThan(all().size());
        assertThat(arrived).endsWith(next - 1);
    }

    @Test
    void aShortCutHoldsMessagesBackAndLosesNone() {
        sendFor(SECOND);
        world.network().cut(sender.place(), receiver());
        sendFor(10 * SECOND);
        int before = arrived.size();
        runFor(SECOND);
        assertThat(arrived).hasSize(before);

        world.network().heal(sender.place(), receiver());
        sendFor(10 * SECOND);
        runFor(20 * SECOND);

        assertThat(arrived).isEqualTo(all());
    }

    @Test
    void cutsOnEachOthersHeelsDoNotChangeTheOrder() {
        world.network().setSlowEverywhere(new SlowLinks(SECOND / 10, SECOND));
        for (int i = 0; i < 10; i++) {
            world.network().cut(sender.place(), receiver());
            sendFor(2 * SECOND);
            world.network().heal(sender.place(), receiver());
            runFor(SECOND / 20);
        }
        runFor(20 * SECOND);

        assertThat(arrived).isEqualTo(all());
    }

    @Test
    void aLongCutLosesWhatTheBrokenConnectionHeld() {
        world.network().cut(sender.place(), receiver());
        sendFor(20 * SECOND);
        world.network().heal(sender.place(), receiver());
        sendFor(5 * SECOND);
        runFor(5 * SECOND);

        assertThat(arrived).isSorted().doesNotHaveDuplicates();
        // Sent in the first fifteen seconds of the cut.
        assertThat(arrived).doesNotContain(0L, 10L, 149L).contains(151L, next - 1);
    }

    @Test
    void aResetCanLoseWhatIsInFlightAndLaterMessagesWaitForTheNewConnection() {
        send(10);
        world.network().reset(null, true, false);
        send(10);
        runFor(5 * SECOND);

        // Sent at the same instant as the reset: lost are only those that were sent before it.
        assertThat(arrived).isSorted().endsWith(19L);
    }

    @Test
    void afterAReconnectTheLastMessagesCanComeOnceMore() {
        send(10);
        runFor(SECOND);
        world.network().reset(null, false, true);
        runFor(5 * SECOND);

        assertThat(arrived.subList(0, 10)).isEqualTo(all());
        assertThat(arrived.subList(10, arrived.size())).containsExactly(7L, 8L, 9L);
    }

    @Test
    void whatWasSentToAProcessDoesNotReachItsSuccessor() {
        send(5);
        world.crash(receiver().process);
        world.start(0);
        runFor(SECOND);
        assertThat(arrived).hasSizeLessThanOrEqualTo(5);

        arrived.clear();
        send(5);
        runFor(SECOND);
        assertThat(arrived).containsExactly(5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void aPausedProcessHandlesEverythingInOrderWhenItGoesOn() {
        world.pause(receiver().process);
        sendFor(5 * SECOND);
        assertThat(arrived).isEmpty();

        world.resume(receiver().process);
        runFor(SECOND);

        assertThat(arrived).isEqualTo(all());
    }
}

package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.HandoffSettings;
import dev.muster.core.handoff.Hands;
import dev.muster.core.state.HandoffPolicy;
import dev.muster.core.state.HandoffPolicy.Arrival;
import dev.muster.core.state.HandoffPolicy.Migration;
import dev.muster.simulator.check.MoveSteps;
import dev.muster.simulator.plan.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Moves in the middle of which something other than a crash happens. */
class HandoffScenariosTest {

    /** HO-04. */
    @Test
    void whenTheTwoHostsCannotReachEachOtherNoTwoAreAtWorkAndTheMoveEnds() {
        for (HandoffPolicy policy : Workload.policies()) {
            for (int step = 1; step <= MoveSteps.LAST && policy.migration() == Migration.FORWARD; step++) {
                cutAt(policy, step);
            }
        }
    }

    private static void cutAt(HandoffPolicy policy, int step) {
        MovingPartition moving = new MovingPartition(policy, HandoffSettings.defaults()).formed();
        boolean[] isCut = {false};
        moving.when(() -> moving.isAtStep(step), () -> {
            isCut[0] = true;
            moving.cluster.cut(moving.n1.slot(), moving.n2.slot());
            moving.cluster.cut(moving.n2.slot(), moving.n1.slot());
        });
        moving.move();
        moving.runUntil("cut at step " + step, 10, () -> isCut[0]);
        moving.runUntil("at rest after a cut at step " + step, 60, moving::isAtRest);
        moving.stopWriting();
        assertThat(moving.unanswered()).as("%s, step %s", policy, step).isEmpty();
        assertThat(moving.cluster.violations()).as("%s, step %s", policy, step).isEmpty();
    }

    /** HO-06. One direction is cut for a while, so that the old host has to wait for the ack of one node. */
    @Test
    void whoJoinsWhileNotAllKnowTheNewHostAndSendsAtOnceIsHeardInOrder() {
        for (HandoffPolicy policy : Workload.policies()) {
            for (int step = 4; step <= MoveSteps.LAST && policy.arrival() == Arrival.BUFFER; step++) {
                joinAt(policy, step);
            }
        }
    }

    private static void joinAt(HandoffPolicy policy, int step) {
        int newcomer = 5;
        MovingPartition moving = new MovingPartition(policy, HandoffSettings.defaults()).formed();
        List<Integer> wroteAtStep = new ArrayList<>();
        Runnable writeAtOnce = () -> {
            moving.steps.of(MovingPartition.PATH).ifPresent(it -> wroteAtStep.add(it.step()));
            for (int i = 0; i < 5; i++) {
                assertThat(moving.cluster.write(newcomer, 7, MovingPartition.PATH))
                        .isPresent();
            }
        };
        moving.when(() -> moving.isAtStep(step), () -> {
            moving.cluster.cut(moving.sender.slot(), moving.n1.slot());
            moving.cluster.start(newcomer);
            moving.when(() -> moving.hasRoute(newcomer), writeAtOnce);
        });
        moving.move();
        moving.runUntil("joined at step " + step, 10, () -> !wroteAtStep.isEmpty());
        moving.cluster.runFor(Duration.ofSeconds(2));
        moving.cluster.heal();
        moving.runUntil("at rest after a join at step " + step, 60, moving::isAtRest);
        moving.stopWriting();
        assertThat(moving.cluster.runningNodes()).hasSize(6);
        assertThat(moving.unanswered()).as("%s, step %s", policy, step).isEmpty();
        assertThat(moving.cluster.violations()).as("%s, step %s", policy, step).isEmpty();
    }

    /** HO-09. */
    @ParameterizedTest
    @CsvSource({"60, true", "15, false"})
    void whileTheNewOneTakesLongToStartNoMoreWaitsThanMay(int timeoutSeconds, boolean moves) {
        int most = 200;
        HandoffSettings settings = new HandoffSettings(Duration.ofSeconds(timeoutSeconds), most, 1 << 20);
        MovingPartition moving = new MovingPartition(HandoffPolicy.singleton(), settings).formed();
        SimulatedNode old = moving.n1;
        moving.cluster.startInstancesIn(Duration.ofSeconds(30));
        moving.writeEvery(Duration.ofMillis(5));
        moving.move();
        moving.cluster.runFor(Duration.ofSeconds(1));
        moving.runUntil("at rest", 90, moving::isAtRest);
        moving.stopWriting();
        assertThat(moving.unanswered()).isEmpty();
        assertThat(moving.host().equals(old)).isEqualTo(!moves);
        assertThat(moving.mostWaiting()).isBetween(most, most + 5);
        assertThat(moving.dead()).isNotEmpty().allMatch(it -> it.why() == Hands.Drop.BUFFER_FULL);
        assertThat(moving.sent()).isEqualTo(moving.handled() + moving.dead().size());
        assertThat(moving.cluster.violations()).isEmpty();
    }
}

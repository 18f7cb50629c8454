package dev.muster.core.failure;

import static dev.muster.core.failure.Clusters.cluster;
import static dev.muster.core.failure.Clusters.down;
import static dev.muster.core.failure.Clusters.members;
import static dev.muster.core.failure.Clusters.node;
import static dev.muster.core.failure.PulseWorld.MILLI;
import static dev.muster.core.failure.PulseWorld.SECOND;
import static dev.muster.core.state.ReachabilityStatus.REACHABLE;
import static dev.muster.core.state.ReachabilityStatus.TERMINATED;
import static dev.muster.core.state.ReachabilityStatus.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.exchange.Effect;
import dev.muster.core.exchange.Effects;
import dev.muster.core.exchange.HeartbeatMessage.Heartbeat;
import dev.muster.core.exchange.HeartbeatMessage.HeartbeatReply;
import dev.muster.core.state.ClusterState;
import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HeartbeatMonitorTest {
    private static final NodeId SELF = node(1);
    private static final NodeId B = node(2);
    private static final NodeId C = node(3);
    private static final NodeId D = node(4);
    private static final NodeId E = node(5);

    private final Effects effects = new Effects();
    private final HeartbeatMonitor monitor = monitorOf(5);

    @Test
    void whoWatchesNobodyNeedsNoWakeUp() {
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);

        ClusterState alone = cluster(SELF);
        assertThat(monitor.tick(alone, 0, effects)).isSameAs(alone);
        assertThat(monitor.tick(alone, 100 * SECOND, effects)).isSameAs(alone);

        assertThat(effects.list()).isEmpty();
        assertThat(monitor.targets()).isEmpty();
        assertThat(monitor.detectors()).isZero();
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoIsNotYetAMemberWatchesNobody() {
        monitor.tick(cluster(B, C), 0, effects);

        assertThat(monitor.detectors()).isZero();
    }

    @Test
    void allTargetsGetTheSameHeartbeatOncePerInterval() {
        ClusterState state = cluster(SELF, B, C);
        monitor.tick(state, 0, effects);
        assertThat(sent()).containsExactly(send(B, 1, 0), send(C, 1, 0));
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(SECOND);

        monitor.tick(state, SECOND - 1, effects);
        assertThat(sent()).isEmpty();

        monitor.tick(state, SECOND, effects);
        assertThat(sent()).containsExactly(send(B, 2, SECOND), send(C, 2, SECOND));
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(2 * SECOND);
    }

    @Test
    void aLateTickSendsOnceAndKeepsTheDistance() {
        ClusterState state = cluster(SELF, B);
        monitor.tick(state, 0, effects);
        sent();

        monitor.onReply(B, reply(1), MILLI);
        monitor.tick(state, 3_700 * MILLI, effects);

        assertThat(sent()).containsExactly(send(B, 2, 3_700 * MILLI));
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(4_700 * MILLI);
        monitor.tick(state, 4_000 * MILLI, effects);
        assertThat(sent()).isEmpty();
    }

    @Test
    void whoIsSilentForTwoIntervalsIsAskedAgainMoreOften() {
        ClusterState state = cluster(SELF, B, C);
        monitor.tick(state, 0, effects);
        monitor.tick(state, SECOND, effects);
        monitor.onReply(C, reply(2), SECOND);
        sent();
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(2 * SECOND);
        monitor.tick(state, 2 * SECOND, effects);
        assertThat(sent()).containsExactly(send(B, 3, 2 * SECOND), send(C, 3, 2 * SECOND));

        assertThat(monitor.nextWakeUpNanos()).isEqualTo(2_250 * MILLI);
        monitor.tick(state, 2_250 * MILLI - 1, effects);
        assertThat(sent()).isEmpty();
        monitor.tick(state, 2_250 * MILLI, effects);
        assertThat(sent()).containsExactly(send(B, 3, 2_250 * MILLI));
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(2_500 * MILLI);

        // The answer to either of the two counts, once, and the haste is over.
        monitor.onReply(B, reply(3), 2_400 * MILLI);
        monitor.onReply(B, reply(3), 2_450 * MILLI);
        monitor.tick(state, 2_500 * MILLI, effects);
        assertThat(monitor.lastReplyNanosOf(B)).isEqualTo(OptionalLong.of(2_400 * MILLI));
        assertThat(sent()).isEmpty();
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(3 * SECOND);
    }

    @Test
    void whoIsAccusedOrDownIsAskedOnTheBeatOnly() {
        ClusterState accused = runUntilAccused(cluster(members(SELF, C).with(down(B))));
        accused = monitor.tick(accused, 6 * SECOND, effects);

        assertThat(sent()).containsExactly(send(B, 7, 6 * SECOND), send(C, 7, 6 * SECOND));
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(7 * SECOND);
        monitor.tick(accused, 6_500 * MILLI, effects);
        assertThat(sent()).isEmpty();
    }

    @Test
    void aNewTargetIsAskedAtOnceWithTheCurrentNumber() {
        monitor.tick(cluster(SELF, B), 0, effects);
        sent();

        monitor.follow(cluster(SELF, B, C), 300 * MILLI);
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(300 * MILLI);
        monitor.tick(cluster(SELF, B, C), 300 * MILLI, effects);
        assertThat(sent()).containsExactly(send(C, 1, 300 * MILLI));
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(SECOND);

        monitor.tick(cluster(SELF, B, C), SECOND, effects);
        assertThat(sent()).containsExactly(send(B, 2, SECOND), send(C, 2, SECOND));
    }

    @Test
    void theFirstHeartbeatOffTheBeatSaysNothingAboutTheRhythm() {
        ClusterState state = cluster(SELF, B, C);
        monitor.tick(cluster(SELF, B), 0, effects);
        monitor.tick(state, 990 * MILLI, effects);
        monitor.onReply(C, reply(1), 991 * MILLI);
        monitor.tick(state, SECOND, effects);
        monitor.onReply(C, reply(2), 1_001 * MILLI);
        monitor.tick(state, 2 * SECOND, effects);

        // Still the first estimate: doubt is even at mean 1 s + pause 3 s, and deviation 250 ms.
        assertThat(monitor.phiOf(C, 5_001 * MILLI)).isEqualTo(PhiCurve.phi(0));
        assertThat(monitor.phiOf(C, 5_251 * MILLI)).isEqualTo(PhiCurve.phi(1));
        monitor.onReply(C, reply(3), 2_002 * MILLI);
        monitor.tick(state, 3 * SECOND, effects);
        assertThat(monitor.phiOf(C, 6_302 * MILLI)).isGreaterThan(PhiCurve.phi(1.2));
    }

    @Test
    void aFirstHeartbeatOnTheBeatBeginsTheRhythm() {
        ClusterState state = cluster(SELF, B);
        monitor.tick(state, 0, effects);
        monitor.onReply(B, reply(1), MILLI);
        monitor.tick(state, SECOND, effects);
        assertThat(monitor.phiOf(B, 4_251 * MILLI)).isEqualTo(PhiCurve.phi(1));
        monitor.onReply(B, reply(2), 1_001 * MILLI);
        monitor.tick(state, 2 * SECOND, effects);

        // 750, 1250 and 1000 ms: deviation 204 ms.
        assertThat(monitor.phiOf(B, 5_001 * MILLI)).isEqualTo(PhiCurve.phi(0));
        assertThat(monitor.phiOf(B, 5_251 * MILLI)).isGreaterThan(PhiCurve.phi(1.2));
    }

    @Test
    void onlyAnswersToWhatWasSentToThisIncarnationCount() {
        ClusterState state = cluster(SELF, B);
        monitor.onReply(B, reply(0), 5);
        monitor.tick(state, 0, effects);
        monitor.tick(state, SECOND, effects);
        NodeId restarted = node("n2", 77);

        monitor.onReply(restarted, reply(1), SECOND);
        monitor.onReply(D, reply(1), SECOND);
        monitor.onReply(B, reply(0), SECOND);
        monitor.onReply(B, reply(3), SECOND);
        assertThat(monitor.lastReplyNanosOf(B)).isEmpty();
        assertThat(monitor.lastReplyNanosOf(restarted)).isEmpty();

        monitor.onReply(B, reply(2), SECOND + 2);
        assertThat(monitor.lastReplyNanosOf(B)).isEqualTo(OptionalLong.of(SECOND + 2));

        monitor.onReply(B, reply(2), SECOND + 3);
        monitor.onReply(B, reply(1), SECOND + 4);
        assertThat(monitor.lastReplyNanosOf(B)).isEqualTo(OptionalLong.of(SECOND + 2));
    }

    @Test
    void anAnswerBeforeTheFirstHeartbeatDoesNotCount() {
        monitor.follow(cluster(SELF, B), 0);
        monitor.onReply(B, reply(0), 1);
        monitor.onReply(B, reply(1), 1);

        assertThat(monitor.lastReplyNanosOf(B)).isEmpty();
    }

    @Test
    void theTimeOfTheLastReplyNeverGoesBack() {
        ClusterState state = cluster(SELF, B);
        monitor.tick(state, 0, effects);
        monitor.tick(state, SECOND, effects);
        monitor.onReply(B, reply(1), 5 * MILLI);
        monitor.onReply(B, reply(2), 3 * MILLI);

        assertThat(monitor.lastReplyNanosOf(B)).isEqualTo(OptionalLong.of(5 * MILLI));
    }

    @Test
    void aNewIncarnationHasAFreshDetectorAndTheOldOneIsForgotten() {
        monitor.tick(cluster(SELF, B), 0, effects);
        monitor.onReply(B, reply(1), MILLI);
        NodeId restarted = node("n2", 77);

        monitor.tick(cluster(SELF, restarted), 2 * MILLI, effects);

        assertThat(monitor.targets()).containsExactly(restarted);
        assertThat(monitor.lastReplyNanosOf(restarted)).isEmpty();
        assertThat(monitor.lastReplyNanosOf(B)).isEmpty();
        assertThat(monitor.phiOf(B, 100 * SECOND)).isZero();
    }

    @Test
    void detectorsDoNotGrowUnderChurn() {
        for (int i = 0; i < 200; i++) {
            monitor.tick(cluster(SELF, B, node("n9", 1_000 + i)), i * 100L * MILLI, effects);
            assertThat(monitor.detectors()).isEqualTo(2);
        }
    }

    @Test
    void allSilentNodesAreAccusedInOneChange() {
        ClusterState state = runUntilAccused(cluster(SELF, B, C));

        assertThat(state.reachability().statusOf(SELF, B)).isEqualTo(UNREACHABLE);
        assertThat(state.reachability().statusOf(SELF, C)).isEqualTo(UNREACHABLE);
        assertThat(state.reachability().versionOf(SELF)).isEqualTo(2);
        assertThat(state.isSeenBy(SELF)).isTrue();
        assertThat(state.version()).isEqualTo(cluster(SELF, B, C).version().increment(SELF.clockKey()));
    }

    @Test
    void theWakeUpIsTheMomentOfSuspicion() {
        ClusterState state = cluster(SELF, B);
        runUntil(monitor, state, 5_250 * MILLI);
        long moment = monitor.nextWakeUpNanos();
        assertThat(moment).isEqualTo(4 * SECOND + (long) (PhiCurve.deviationsAt(8) * 250 * MILLI) + 1);
        assertThat(monitor.tick(state, moment - 1, effects)).isSameAs(state);

        ClusterState accused = monitor.tick(state, moment, effects);

        assertThat(accused.isReachable(B)).isFalse();
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(6 * SECOND);
        assertThat(monitor.tick(accused, 6 * SECOND, effects)).isSameAs(accused);
    }

    @Test
    void aReplyOfAnAccusedNodeIsActedUponAtOnce() {
        ClusterState accused = runUntilAccused(cluster(SELF, B));
        assertThat(monitor.tick(accused, 6 * SECOND, effects)).isSameAs(accused);
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(7 * SECOND);

        monitor.onReply(B, reply(6), 6_100 * MILLI);
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(6_100 * MILLI);
        ClusterState back = monitor.tick(accused, 6_100 * MILLI, effects);

        assertThat(back.isReachable(B)).isTrue();
        assertThat(back.reachability().versionOf(SELF)).isEqualTo(2);
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(7 * SECOND);
    }

    @Test
    void aReplyIsNotForgottenWhenTheStateChangesBeforeTheTick() {
        ClusterState accused = runUntilAccused(cluster(SELF, B));
        monitor.onReply(B, reply(6), 5_600 * MILLI);

        ClusterState other = accused.withMember(C, Clusters.up(C));
        monitor.follow(other, 5_600 * MILLI);

        assertThat(monitor.nextWakeUpNanos()).isEqualTo(5_600 * MILLI);
        assertThat(monitor.tick(other, 5_600 * MILLI, effects).isReachable(B)).isTrue();
    }

    @Test
    void onlyAnAnswerTakesAnAccusationBack() {
        ClusterState accused = runUntilAccused(cluster(SELF, B));

        // An excuse makes phi small, but says nothing about the peer.
        monitor.excusePause(66 * SECOND, 66 * SECOND);
        assertThat(monitor.phiOf(B, 66 * SECOND)).isLessThan(8);

        assertThat(monitor.tick(accused, 66 * SECOND, effects)).isSameAs(accused);
    }

    @Test
    void anAnswerThatIsTooOldTakesNothingBack() {
        ClusterState accused = runUntilAccused(cluster(SELF, B));
        monitor.tick(accused, 6 * SECOND, effects);

        // It came before the last heartbeat, which is unanswered since, and waited a minute to be handled.
        monitor.onReply(B, reply(6), 5_500 * MILLI);

        assertThat(monitor.tick(accused, 60 * SECOND, effects)).isSameAs(accused);
    }

    @Test
    void theAccuserKeepsWatchingUntilItTookItsWordBack() {
        HeartbeatMonitor narrow = monitorOf(1);
        ClusterState state = cluster(SELF, B, D, E);
        ClusterState accused = runUntilAccused(narrow, state);
        assertThat(accused.reachability().statusOf(SELF, B)).isEqualTo(UNREACHABLE);
        // Taken along as unreachable, and the next reachable one.
        assertThat(narrow.targets()).containsExactly(B, D);

        // A newcomer stands between the two: the same hash, and a later address than ours.
        NodeId closer = node("z", 1);
        ClusterState moved = accused.withMember(D, Clusters.up(closer));
        narrow.follow(moved, 6 * SECOND);
        assertThat(narrow.targets()).containsExactly(B, closer);

        narrow.tick(moved, 6 * SECOND, effects);
        narrow.onReply(B, reply(7), 6 * SECOND + MILLI);
        ClusterState back = narrow.tick(moved, 6 * SECOND + MILLI, effects);

        assertThat(back.isReachable(B)).isTrue();
        assertThat(narrow.targets()).containsExactly(closer);
    }

    @Test
    void whoComesInByOurOwnWordsIsAskedInTheSameStep() {
        HeartbeatMonitor narrow = monitorOf(1);
        ClusterState state = cluster(SELF, B, D);
        runUntil(narrow, state, 5_250 * MILLI);
        sent();

        long moment = narrow.nextWakeUpNanos();
        narrow.tick(state, moment, effects);

        assertThat(sent()).containsExactly(send(D, 6, moment));
        assertThat(narrow.nextWakeUpNanos()).isEqualTo(6 * SECOND);
    }

    @Test
    void anAccusedNodeThatWasRemovedIsForgotten() {
        ClusterState accused = runUntilAccused(cluster(SELF, B, C));

        monitor.follow(accused.withRemoved(SELF, members(SELF, C), List.of(B), 1), 7 * SECOND);

        assertThat(monitor.targets()).containsExactly(C);
    }

    @Test
    void whatIsDownIsWatchedButNotAccused() {
        ClusterState state = cluster(members(SELF, C).with(down(B)));

        ClusterState accused = runUntilAccused(state);

        assertThat(monitor.targets()).containsExactly(B, C);
        assertThat(accused.reachability().statusOf(SELF, B)).isEqualTo(REACHABLE);
        assertThat(accused.reachability().statusOf(SELF, C)).isEqualTo(UNREACHABLE);
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(6 * SECOND);
    }

    @Test
    void quarantineIsFinal() {
        ClusterState state = withWord(cluster(SELF, B), SELF, B, TERMINATED);
        for (int second = 0; second <= 20; second++) {
            assertThat(monitor.tick(state, second * SECOND, effects)).isSameAs(state);
        }
        monitor.onReply(B, reply(21), 20 * SECOND + 1);
        assertThat(monitor.tick(state, 20 * SECOND + 1, effects)).isSameAs(state);
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(21 * SECOND);
    }

    @Test
    void theWordsOfOthersAreTheirs() {
        ClusterState state = withWord(cluster(SELF, B, C), C, B, UNREACHABLE);
        monitor.tick(state, 0, effects);
        monitor.onReply(B, reply(1), MILLI);
        monitor.onReply(C, reply(1), MILLI);

        assertThat(monitor.tick(state, 2 * MILLI, effects)).isSameAs(state);
        assertThat(monitor.tick(state, SECOND, effects)).isSameAs(state);
    }

    @Test
    void unreachableOnesDoNotUseUpAPlace() {
        HeartbeatMonitor narrow = monitorOf(2);
        narrow.follow(cluster(SELF, B, C, D, E), 0);
        assertThat(narrow.targets()).containsExactly(B, C);

        narrow.follow(withWord(cluster(SELF, B, C, D, E), D, B, UNREACHABLE), 1);
        assertThat(narrow.targets()).containsExactly(B, C, D);

        // Words of an observer that is down do not count.
        ClusterState downed = cluster(members(SELF, B, C, E).with(down(D)));
        narrow.follow(withWord(downed, D, B, UNREACHABLE), 2);
        assertThat(narrow.targets()).containsExactly(B, C);
    }

    @Test
    void whoIsDownDoesNotUseUpAPlace() {
        HeartbeatMonitor narrow = monitorOf(2);
        narrow.follow(cluster(members(SELF, C, D, E).with(down(B))), 0);

        assertThat(narrow.targets()).containsExactly(B, C, D);
    }

    @Test
    void anOwnAccusationThatIsFoundInTheStateIsWatched() {
        HeartbeatMonitor narrow = monitorOf(1);
        ClusterState state = withWord(cluster(SELF, B, C, D, E), SELF, E, UNREACHABLE);

        narrow.follow(state, 0);

        assertThat(narrow.targets()).containsExactly(B, E);
        ClusterState quarantined = withWord(cluster(SELF, B, C, D, E), SELF, E, TERMINATED);
        narrow.follow(quarantined, 0);
        assertThat(narrow.targets()).containsExactly(B);
    }

    @Test
    void followingTheSameStateCostsNothing() {
        ClusterState state = cluster(SELF, B);
        monitor.tick(state, 0, effects);
        long wakeUp = monitor.nextWakeUpNanos();

        monitor.follow(state.seenBy(B), 500);

        assertThat(monitor.nextWakeUpNanos()).isEqualTo(wakeUp);
    }

    @Test
    void aShortPauseIsExcusedWithoutATruce() {
        ClusterState state = cluster(SELF, B);
        monitor.tick(state, 0, effects);
        double doubt = monitor.phiOf(B, 4 * SECOND);

        monitor.excusePause(1_500 * MILLI, 4 * SECOND);

        assertThat(monitor.accusesNobodyUntilNanos()).isZero();
        assertThat(monitor.phiOf(B, 5_500 * MILLI)).isEqualTo(doubt);
    }

    @Test
    void aLongPauseBringsATruceOfOneAcceptablePause() {
        ClusterState state = cluster(SELF, B);
        runUntil(monitor, state, 5_250 * MILLI);
        monitor.excusePause(1_500 * MILLI + 1, 7 * SECOND);
        assertThat(monitor.accusesNobodyUntilNanos()).isEqualTo(10 * SECOND);

        assertThat(monitor.tick(state, 7 * SECOND, effects)).isSameAs(state);
        runUntil(monitor, state, 9_900 * MILLI);
        assertThat(monitor.phiOf(B, 9 * SECOND)).isGreaterThan(8);
        assertThat(monitor.nextWakeUpNanos()).isEqualTo(10 * SECOND);
        assertThat(monitor.tick(state, 10 * SECOND - 1, effects)).isSameAs(state);
        assertThat(monitor.tick(state, 10 * SECOND, effects).isReachable(B)).isFalse();
    }

    @Test
    void aTruceDoesNotKeepUsFromTakingAWordBack() {
        ClusterState accused = runUntilAccused(cluster(SELF, B));
        monitor.excusePause(3 * SECOND, 9 * SECOND);
        monitor.onReply(B, reply(6), 9 * SECOND);

        assertThat(monitor.tick(accused, 9 * SECOND, effects).isReachable(B)).isTrue();
    }

    @Test
    void withoutAnAcceptablePauseHalfTheIntervalIsLong() {
        HeartbeatMonitor strict =
                new HeartbeatMonitor(SELF, FailureSettings.defaults().withAcceptableHeartbeatPause(Duration.ZERO), 7);
        strict.excusePause(500 * MILLI, 10 * SECOND);
        assertThat(strict.accusesNobodyUntilNanos()).isEqualTo(7);

        strict.excusePause(500 * MILLI + 1, 10 * SECOND);
        assertThat(strict.accusesNobodyUntilNanos()).isEqualTo(10 * SECOND);
    }

    @Test
    void anIntervalThatSpansOurOwnPauseIsNotRemembered() {
        ClusterState state = cluster(SELF, B);
        monitor.tick(state, 0, effects);
        monitor.onReply(B, reply(1), MILLI);
        monitor.tick(state, SECOND, effects);
        monitor.excusePause(SECOND, 3 * SECOND);
        monitor.onReply(B, reply(2), 3 * SECOND);
        monitor.tick(state, 3 * SECOND, effects);
        monitor.onReply(B, reply(3), 3_001 * MILLI);
        monitor.tick(state, 4 * SECOND, effects);

        // Still the first estimate.
        assertThat(monitor.phiOf(B, 7_001 * MILLI)).isEqualTo(PhiCurve.phi(0));
        assertThat(monitor.phiOf(B, 7_251 * MILLI)).isEqualTo(PhiCurve.phi(1));
    }

    @Test
    void answersThatComeInABunchAfterAnOutageAreNotRemembered() {
        ClusterState state = cluster(SELF, B);
        monitor.tick(state, 0, effects);
        monitor.onReply(B, reply(1), 0);
        for (int second = 1; second <= 5; second++) {
            state = monitor.tick(state, second * SECOND, effects);
        }
        assertThat(state.isReachable(B)).isTrue();
        for (int sequence = 2; sequence <= 6; sequence++) {
            monitor.onReply(B, reply(sequence), 5_400 * MILLI);
        }
        monitor.tick(state, 6 * SECOND, effects);

        assertThat(monitor.phiOf(B, 9_400 * MILLI)).isEqualTo(PhiCurve.phi(0));
        assertThat(monitor.phiOf(B, 9_650 * MILLI)).isEqualTo(PhiCurve.phi(1));
    }

    private HeartbeatMonitor monitorOf(int monitoredBy) {
        return new HeartbeatMonitor(SELF, FailureSettings.defaults().withMonitoredByNrOfMembers(monitoredBy), 0);
    }

    /** Nobody answers from the start: at 5.3 s all who may be are accused. */
    private ClusterState runUntilAccused(ClusterState state) {
        return runUntilAccused(monitor, state);
    }

    private ClusterState runUntilAccused(HeartbeatMonitor watching, ClusterState state) {
        runUntil(watching, state, 5_250 * MILLI);
        ClusterState accused = watching.tick(state, watching.nextWakeUpNanos(), effects);
        assertThat(accused).isNotSameAs(state);
        sent();
        return accused;
    }

    private void runUntil(HeartbeatMonitor watching, ClusterState state, long endNanos) {
        watching.follow(state, 0);
        while (watching.nextWakeUpNanos() <= endNanos) {
            assertThat(watching.tick(state, watching.nextWakeUpNanos(), effects))
                    .isSameAs(state);
        }
    }

    private static ClusterState withWord(
            ClusterState state, NodeId observer, NodeId subject, ReachabilityStatus status) {
        return state.withReachability(observer, state.reachability().marked(observer, subject, status));
    }

    private static HeartbeatReply reply(long sequence) {
        return new HeartbeatReply(sequence, 0);
    }

    private static Effect send(NodeId to, long sequence, long nowNanos) {
        return new Effect.SendMessage(to.address(), new Heartbeat(sequence, nowNanos));
    }

    private List<Effect> sent() {
        List<Effect> sent = List.copyOf(effects.list());
        effects.clear();
        return sent;
    }
}

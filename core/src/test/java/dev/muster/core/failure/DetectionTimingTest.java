package dev.muster.core.failure;

import static dev.muster.core.failure.PulseWorld.MILLI;
import static dev.muster.core.failure.PulseWorld.SECOND;
import static dev.muster.core.state.ReachabilityStatus.REACHABLE;
import static dev.muster.core.state.ReachabilityStatus.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.failure.PulseWorld.Word;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How soon the dead are found, and that the living are left alone, with the default settings. */
class DetectionTimingTest {

    @ParameterizedTest
    @ValueSource(longs = {20_000, 20_001, 20_002, 20_003, 20_250, 20_500, 20_999, 60_000, 600_500})
    void aCrashIsFoundWithinFiveSeconds(long crashMillis) {
        long crash = crashMillis * MILLI;
        List<Word> words =
                new PulseWorld().withPeerSilent(crash, Long.MAX_VALUE).runUntil(crash + 60 * SECOND);

        assertThat(words).hasSize(1);
        assertThat(words.get(0).status()).isEqualTo(UNREACHABLE);
        assertThat(words.get(0).atNanos() - crash).isBetween(3_300 * MILLI, 5 * SECOND);
    }

    @Test
    void aNodeThatNeverAnswersIsFoundInTheSameBound() {
        List<Word> words = new PulseWorld().withPeerSilent(0, Long.MAX_VALUE).runUntil(60 * SECOND);

        assertThat(words).hasSize(1);
        assertThat(words.get(0).atNanos()).isBetween(5 * SECOND, 6 * SECOND);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 500, 1_000, 1_500, 2_000, 3_000, 5_000})
    void aCrashAfterAFewAnswersIsFoundInTheSameBound(long crashMillis) {
        long crash = crashMillis * MILLI;
        List<Word> words =
                new PulseWorld().withPeerSilent(crash, Long.MAX_VALUE).runUntil(60 * SECOND);

        assertThat(words).hasSize(1);
        assertThat(words.get(0).atNanos() - crash).isLessThan(5_500 * MILLI);
    }

    @Test
    void aNodeThatAnswersAgainIsReachableWithItsFirstAnswer() {
        List<Word> words = new PulseWorld()
                .withPeerSilent(20 * SECOND, 50 * SECOND + 500 * MILLI)
                .runUntil(200 * SECOND);

        assertThat(words).extracting(Word::status).containsExactly(UNREACHABLE, REACHABLE);
        assertThat(words.get(1).atNanos()).isEqualTo(51 * SECOND + 2 * MILLI);
    }

    @Test
    void anOutageDoesNotMakeTheDetectorMorePatient() {
        PulseWorld world = new PulseWorld().withPeerSilent(20 * SECOND, 50 * SECOND);
        world.runUntil(61 * SECOND);

        // Last answered at 60.002 s and asked again at 61 s. The 30 seconds are nowhere in the history.
        assertThat(world.monitor().phiOf(world.peer(), 64_400 * MILLI)).isLessThan(8);
        assertThat(world.monitor().phiOf(world.peer(), 64_700 * MILLI)).isGreaterThan(8);
    }

    @Test
    void jitterOfTheNetworkAccusesNobody() {
        SplittableRandom random = new SplittableRandom(4717);
        LongSupplier delay = () -> random.nextLong(100 * MILLI, 900 * MILLI);

        assertThat(new PulseWorld().withDelay(delay).runUntil(20_000 * SECOND)).isEmpty();
    }

    /** Five watchers of one node for fifty hours. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void lostMessagesAccuseNobody(int percent) {
        SplittableRandom random = new SplittableRandom(4718);

        assertThat(new PulseWorld()
                        .withLoss(() -> random.nextInt(100) < percent)
                        .runUntil(5 * 50 * 3_600 * SECOND))
                .isEmpty();
    }

    @Test
    void lossAndJitterAndShortPausesTogetherAccuseNobody() {
        SplittableRandom random = new SplittableRandom(4719);
        PulseWorld world = new PulseWorld()
                .withLoss(() -> random.nextInt(100) == 0)
                .withDelay(() -> random.nextLong(100 * MILLI, 900 * MILLI));
        for (long time = 10; time < 10_000; time += 20) {
            world.withPeerPause(time * SECOND + random.nextLong(10 * SECOND), 1_500 * MILLI);
        }

        assertThat(world.runUntil(10_000 * SECOND)).isEmpty();
    }

    @Test
    void anAcceptablePauseOfThePeerAccusesNobody() {
        for (long from = 19_900; from <= 21_100; from += 50) {
            assertThat(new PulseWorld().withPeerPause(from * MILLI, 3 * SECOND).runUntil(60 * SECOND))
                    .as("pause from %s ms", from)
                    .isEmpty();
        }
    }

    @Test
    void pausesOfBothAccuseNobody() {
        for (long peer = 19_900; peer <= 21_100; peer += 100) {
            for (long observer = 16_900; observer <= 24_500; observer += 50) {
                assertThat(new PulseWorld()
                                .withPeerPause(peer * MILLI, 3 * SECOND)
                                .withObserverPause(observer * MILLI, 3 * SECOND)
                                .runUntil(60 * SECOND))
                        .as("peer pauses from %s ms, observer from %s ms", peer, observer)
                        .isEmpty();
            }
        }
    }

    @Test
    void withoutTheExcuseTheObserverWouldBlameThePeerForItsOwnPause() {
        List<Word> words = new PulseWorld()
                .withPeerPause(20 * SECOND, 3 * SECOND)
                .withObserverPause(22 * SECOND, 4 * SECOND)
                .thatDoesNotNoticeOwnPauses()
                .runUntil(60 * SECOND);

        assertThat(words).extracting(Word::status).containsExactly(UNREACHABLE, REACHABLE);
    }

    @Test
    void aLongPauseOfTheObserverAccusesNobody() {
        assertThat(new PulseWorld()
                        .withObserverPause(20 * SECOND + 1, 3_600 * SECOND)
                        .runUntil(4_000 * SECOND))
                .isEmpty();
    }

    @Test
    void aCrashDuringAPauseOfTheObserverIsFoundAfterIt() {
        List<Word> words = new PulseWorld()
                .withObserverPause(20 * SECOND - MILLI, 3 * SECOND)
                .withPeerSilent(20 * SECOND, Long.MAX_VALUE)
                .runUntil(60 * SECOND);

        assertThat(words).hasSize(1);
        assertThat(words.get(0).atNanos()).isBetween(26 * SECOND, 28 * SECOND);
    }

    @Test
    void aHealthyPeerCostsOneWakeUpAndOneReplyPerInterval() {
        PulseWorld world = new PulseWorld();
        world.runUntil(100 * SECOND + 500 * MILLI);

        assertThat(world.steps()).isEqualTo(1 + 100 + 101);
    }
}

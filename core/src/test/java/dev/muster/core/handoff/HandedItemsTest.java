package dev.muster.core.handoff;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.core.handoff.GateMessage.Item;
import dev.muster.core.state.HandoffPolicy;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What is under way to a new host: how much at a time, and when it is said again. */
class HandedItemsTest {
    private static final long MILLI = 1_000_000L;
    private static final long START = 5_000_000_000L;
    private static final int HALF_OF_THE_BYTES = (int) HandedItems.MOST_UNCONFIRMED_BYTES / 2;

    private final RecordingHands recorder = new RecordingHands();
    private final Waiting<String> waiting = RecordingHands.waiting(recorder);
    private final HandedItems<String> items = new HandedItems<>(recorder, waiting, 7, GateWorld.id(2), true);

    private static void addMessage(HandedItems<String> to, String message, long nowNanos) {
        assertThat(to.admit(message)).isTrue();
        to.add(new Item.Message<>(message), nowNanos);
    }

    private void addMessages(int count) {
        for (int i = 1; i <= count; i++) {
            addMessage(items, "m" + i, START);
        }
    }

    // ---- As much at a time as others can bear.

    @Test
    void noMoreThanTheWindowIsUnderWay() {
        addMessages(HandedItems.MOST_UNCONFIRMED + 10);
        assertThat(recorder.takeSent()).isEqualTo(numbers(1, HandedItems.MOST_UNCONFIRMED));

        items.onConfirmed(2, false, START);
        assertThat(recorder.takeSent())
                .isEqualTo(numbers(HandedItems.MOST_UNCONFIRMED + 1, HandedItems.MOST_UNCONFIRMED + 2));
    }

    @Test
    void exactlyAsManyBytesAreUnderWayAsAreAllowed() {
        for (String name : List.of("a", "b", "c", "d")) {
            addMessage(items, name.repeat(HALF_OF_THE_BYTES), START);
        }
        assertThat(recorder.takeSent()).isEqualTo(numbers(1, 2));

        items.onConfirmed(1, false, START);
        assertThat(recorder.takeSent()).isEqualTo(numbers(3, 3));
    }

    @Test
    void aPieceOfTheStateCountsLikeAMessage() {
        items.add(new Item.StatePart<>(new byte[HALF_OF_THE_BYTES], false), START);
        items.add(new Item.StatePart<>(new byte[HALF_OF_THE_BYTES + 1], true), START);
        assertThat(recorder.takeSent()).isEqualTo(numbers(1, 1));
    }

    @Test
    void whatIsLargerThanAllThatMayBeUnderWayGoesAlone() {
        addMessage(items, "x".repeat(3 * HALF_OF_THE_BYTES), START);
        addMessage(items, "next", START);
        assertThat(recorder.takeSent()).isEqualTo(numbers(1, 1));

        items.onConfirmed(1, false, START);
        assertThat(recorder.takeSent()).isEqualTo(numbers(2, 2));
    }

    // ---- Until it is confirmed.

    @Test
    void whatIsNotConfirmedIsSaidAgainEachTimeLater() {
        addMessages(2);
        recorder.takeSent();
        long last = START;
        for (long pause : List.of(300, 600, 1200, 2400, 3000, 3000)) {
            long due = last + pause * MILLI;
            assertThat(items.nextWakeUpNanos()).isEqualTo(due);
            items.tick(false, due - 1);
            assertThat(recorder.takeSent()).isEmpty();
            items.tick(false, due);
            assertThat(recorder.takeSent()).isEqualTo(numbers(1, 2));
            last = due;
        }
    }

    @Test
    void whatComesLaterDoesNotPutOffTheRepetition() {
        addMessage(items, "early", START);
        addMessage(items, "late", START + 200 * MILLI);
        assertThat(items.nextWakeUpNanos()).isEqualTo(START + 300 * MILLI);
    }

    @Test
    void whenSomethingHasComeTheRestIsWaitedForAsShortlyAsAtFirst() {
        addMessages(2);
        items.tick(false, START + 300 * MILLI);
        items.tick(false, START + 900 * MILLI);
        recorder.takeSent();

        items.onConfirmed(1, false, START + 1_000 * MILLI);
        assertThat(items.nextWakeUpNanos()).isEqualTo(START + 1_300 * MILLI);
        items.tick(false, START + 1_300 * MILLI);
        assertThat(recorder.takeSent()).isEqualTo(numbers(2, 2));
    }

    /** Or a new host that always says the same would keep what it lacks from being said again. */
    @Test
    void aConfirmationOfNothingNewDoesNotPutOffTheRepetition() {
        addMessages(2);
        items.onConfirmed(1, false, START + 100 * MILLI);
        items.onConfirmed(1, false, START + 200 * MILLI);
        assertThat(items.nextWakeUpNanos()).isEqualTo(START + 400 * MILLI);
    }

    @Test
    void whereNothingWasHandedOverNothingIsRepeated() {
        items.onConfirmed(0, false, START);
        assertThat(items.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
        items.tick(false, START);
        assertThat(items.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whenAllHasComeNothingIsSaidAgain() {
        addMessages(2);
        recorder.takeSent();
        items.onConfirmed(2, false, START);
        items.tick(false, START + 10_000 * MILLI);
        assertThat(recorder.takeSent()).isEmpty();
        assertThat(recorder.questions).isZero();
        assertThat(items.nextWakeUpNanos()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whoWaitsForNewsAsksAlthoughAllHasCome() {
        addMessages(1);
        recorder.takeSent();
        items.onConfirmed(1, false, START);
        items.tick(false, START);
        long begin = START + 1_000 * MILLI;
        items.tick(true, begin);
        assertThat(items.nextWakeUpNanos()).isEqualTo(begin + 300 * MILLI);
        assertThat(recorder.questions).isZero();
        items.tick(true, begin + 300 * MILLI);
        assertThat(recorder.questions).isEqualTo(1);
        assertThat(recorder.takeSent()).isEmpty();
    }

    @Test
    void aWordAboutWhatWasNeverSentIsNotBelieved() {
        addMessages(2);
        assertThat(items.onConfirmed(3, false, START)).isFalse();
        assertThat(items.areAllConfirmed()).isFalse();
        items.onConfirmed(2, false, START);
        assertThat(items.areAllConfirmed()).isTrue();
    }

    @Test
    void onlyWhatTheNewHostNeedsToBeginIsProgress() {
        items.add(new Item.Prepare<>(HandoffPolicy.singleton(), true), START);
        addMessages(1);
        items.add(new Item.StatePart<>(new byte[1], true), START);
        addMessages(1);
        assertThat(items.onConfirmed(1, false, START)).isTrue();
        assertThat(items.onConfirmed(2, false, START)).isFalse();
        assertThat(items.onConfirmed(3, false, START)).isTrue();
        assertThat(items.onConfirmed(4, false, START)).isFalse();
        assertThat(items.onConfirmed(4, false, START)).isFalse();
    }

    // ---- Gaps.

    /** All that is behind a gap says that there is one, and once is enough. */
    @Test
    void whatIsMissingThereIsSentAgainAtOnceButOnce() {
        addMessages(4);
        recorder.takeSent();
        items.onConfirmed(1, true, START);
        assertThat(recorder.takeSent()).isEqualTo(numbers(2, 4));
        items.onConfirmed(1, true, START);
        assertThat(recorder.takeSent()).isEmpty();

        items.onConfirmed(2, true, START);
        assertThat(recorder.takeSent()).isEqualTo(numbers(3, 4));
    }

    @Test
    void aWordAboutAGapThatIsClosedByNowIsIgnored() {
        addMessages(4);
        items.onConfirmed(3, false, START);
        recorder.takeSent();
        items.onConfirmed(1, true, START);
        assertThat(recorder.takeSent()).isEmpty();
    }

    @Test
    void aGapThatIsStillThereAfterARepetitionIsClosedAgain() {
        addMessages(2);
        items.onConfirmed(0, true, START);
        items.tick(false, START + 300 * MILLI);
        recorder.takeSent();
        items.onConfirmed(0, true, START + 310 * MILLI);
        assertThat(recorder.takeSent()).isEqualTo(numbers(1, 2));
    }

    private static List<Long> numbers(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }
}

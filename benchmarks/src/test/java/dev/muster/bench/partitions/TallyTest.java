package dev.muster.bench.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counting, by logs that are made up. Two partitions by turns, one question every 50 ms: each gets one in 100 ms. */
class TallyTest {

    private static final long MILLI = 1_000_000;
    private static final Rhythm RHYTHM = new Rhythm(7 * MILLI, 50 * MILLI, 2);
    private static final long OLD = 1;
    private static final long NEW = 2;

    private final List<Received> log = new ArrayList<>();

    @Test
    void allQuestionsOfTheRhythmAreCounted() {
        assertThat(RHYTHM.question(0)).isEqualTo(new Question(0, 1));
        assertThat(RHYTHM.question(3)).isEqualTo(new Question(1, 2));
        assertThat(RHYTHM.dueNanos(new Question(1, 2))).isEqualTo(RHYTHM.dueNanos(3));
        assertThat(RHYTHM.sentTo(0, 5)).isEqualTo(3);
        assertThat(RHYTHM.sentTo(1, 5)).isEqualTo(2);
        assertThat(RHYTHM.sentTo(1, 1)).isZero();
    }

    @Test
    void whenAllIsWellNothingIsCountedButTimes() {
        answered(0, 1, 20, 0, 2, OLD);
        answered(1, 1, 20, 0, 2, OLD);

        Tally tally = tally(40);

        assertThat(faults(tally)).containsExactly(0L, 0L, 0L, 0L);
        assertThat(tally.moves()).isZero();
        assertThat(tally.betweenMovesMillis(100)).isEqualTo(2);
        assertThat(tally.longestOfMovesMillis(99)).isZero();
    }

    @Test
    void whatIsNeverAnsweredIsLostAlsoAtTheEnd() {
        answered(0, 1, 7, 0, 2, OLD);
        answered(0, 9, 19, 7, 2, OLD);
        answered(1, 1, 20, 0, 2, OLD);

        assertThat(faults(tally(40))).containsExactly(2L, 0L, 0L, 0L);
    }

    @Test
    void aSecondAnswerIsADuplicateAndTheFirstOneCounts() {
        answered(0, 1, 20, 0, 2, OLD);
        answered(1, 1, 20, 0, 2, OLD);
        answered(1, 20, 20, 19, 400, OLD);

        Tally tally = tally(40);

        assertThat(faults(tally)).containsExactly(0L, 1L, 0L, 0L);
        assertThat(tally.betweenMovesMillis(100)).isEqualTo(2);
    }

    @Test
    void theOrderIsThatInWhichTheyWereHandledNotThatOfTheAnswers() {
        log.add(new Received(new Answer(0, 1, 0, 10 * MILLI, OLD), 500 * MILLI));
        log.add(new Received(new Answer(0, 2, 1, 20 * MILLI, OLD), 400 * MILLI));

        assertThat(faults(tally(3))).containsExactly(1L, 0L, 0L, 0L);
    }

    @Test
    void aNumberAfterAHigherOneIsReorderedAlsoBetweenTwoInstances() {
        log.add(new Received(new Answer(0, 1, 0, 10 * MILLI, OLD), 12 * MILLI));
        log.add(new Received(new Answer(0, 3, 0, 20 * MILLI, NEW), 22 * MILLI));
        log.add(new Received(new Answer(0, 2, 1, 30 * MILLI, OLD), 32 * MILLI));
        log.add(new Received(new Answer(0, 4, 3, 40 * MILLI, NEW), 42 * MILLI));

        assertThat(tally(7).reordered()).isEqualTo(1);
    }

    @Test
    void anInstanceThatWasToldNothingHasForgotten() {
        answered(0, 1, 10, 0, 2, OLD);
        answered(0, 11, 20, 0, 2, NEW);
        answered(1, 1, 10, 0, 2, OLD);
        answered(1, 11, 20, 10, 2, NEW);

        Tally tally = tally(40);

        assertThat(faults(tally)).containsExactly(0L, 0L, 0L, 1L);
        assertThat(tally.moves()).isEqualTo(2);
    }

    @Test
    void aMoveIsChargedTheLongestWaitOfThoseWhomItHeldUp() {
        answered(0, 1, 20, 0, 2, OLD);
        answered(0, 21, 21, 20, 302, NEW); // three questions came together when the new one was there
        answered(0, 22, 22, 21, 202, NEW);
        answered(0, 23, 23, 22, 102, NEW);
        answered(0, 24, 60, 23, 3, NEW);
        answered(1, 1, 60, 0, 4, OLD);

        Tally tally = tally(120);

        assertThat(faults(tally)).containsExactly(0L, 0L, 0L, 0L);
        assertThat(tally.moves()).isEqualTo(1);
        assertThat(tally.longestOfMovesMillis(50)).isEqualTo(302);
        assertThat(tally.duringMovesMillis(100)).isEqualTo(302);
        assertThat(tally.duringMovesMillis(50)).isEqualTo(3);
        assertThat(tally.betweenMovesMillis(100)).isEqualTo(4);
    }

    @Test
    void timesCountOnlyFromTheBeginningAndFaultsAlways() {
        answered(0, 1, 20, 0, 2, OLD);
        answered(0, 22, 40, 20, 90, NEW); // one was lost on the way
        answered(0, 41, 60, 0, 7, OLD); // and the state after that
        answered(1, 1, 60, 0, 4, OLD);

        Tally tally = tallySince(RHYTHM.dueNanos(new Question(0, 31)), 120);

        assertThat(faults(tally)).containsExactly(1L, 0L, 0L, 1L);
        assertThat(tally.moves()).isEqualTo(1);
        assertThat(tally.longestOfMovesMillis(100)).isEqualTo(90);
        assertThat(tally.betweenMovesMillis(0)).isEqualTo(4);
        assertThat(tally.betweenMovesMillis(100)).isEqualTo(90);
    }

    @Test
    void howLateAMoveWasAskedIsKnown() {
        answered(0, 1, 20, 0, 2, OLD);
        answered(0, 21, 60, 20, 30, NEW);
        answered(1, 1, 60, 0, 4, OLD);
        long[] lateNanos = new long[120];
        lateNanos[(int) RHYTHM.index(0, 21)] = 11 * MILLI;
        lateNanos[(int) RHYTHM.index(1, 21)] = 12 * MILLI; // not of this move
        lateNanos[(int) RHYTHM.index(0, 50)] = 13 * MILLI; // long after it

        Tally tally = Tally.of(new Asked(RHYTHM, lateNanos), 0, log);

        assertThat(tally.lateInMovesMillis(100)).isEqualTo(11);
        assertThat(tally.longestOfMovesMillis(100)).isEqualTo(30);
    }

    @Test
    void lookingWhetherAnybodyIsThereCountsForNothing() {
        log.add(new Received(new Answer(0, 0, 0, 1, OLD), 2));
        answered(0, 1, 2, 0, 2, OLD);
        answered(1, 1, 2, 0, 2, OLD);

        assertThat(faults(tally(4))).containsExactly(0L, 0L, 0L, 0L);
    }

    /** Answers to these numbers, each so long after it was due; the first one's instance knew of {@code before}. */
    private void answered(int partition, long from, long to, long before, long afterMillis, long host) {
        for (long number = from; number <= to; number++) {
            long at = RHYTHM.dueNanos(new Question(partition, number)) + afterMillis * MILLI;
            long known = number == from ? before : number - 1;
            log.add(new Received(new Answer(partition, number, known, at - MILLI, host), at));
        }
    }

    private Tally tally(int sent) {
        return tallySince(0, sent);
    }

    private Tally tallySince(long beginNanos, int sent) {
        return Tally.of(new Asked(RHYTHM, new long[sent]), beginNanos, log);
    }

    private static List<Long> faults(Tally tally) {
        return List.of(tally.lost(), tally.doubled(), tally.reordered(), tally.forgotten());
    }
}

package dev.muster.bench.partitions;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * What became of all questions to all partitions. The time of each answer counts from when its question was due, so
 * nothing that stands still goes unseen.
 *
 * <p>A move is what an answer from another host than before shows. It begins half a second before the last answer of
 * the old host was due, and ends a second after the first one of the new host has come: whatever the move holds up is
 * due in between. Of each move it is also noted how late the questions were asked: for so long the machine stood still
 * for a thread that does nothing but ask.
 */
final class Tally {

    private static final long BEFORE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private long lost;
    private long doubled;
    private long reordered;
    private long forgotten;
    private final List<String> gaps = new ArrayList<>();
    private final List<Long> longestOfMoves = new ArrayList<>();
    private final List<Long> latestOfMoves = new ArrayList<>();
    private final List<Long> duringMoves = new ArrayList<>();
    private final List<Long> betweenMoves = new ArrayList<>();

    /**
     * @param beginNanos from when on times count; what was lost and the like always does
     * @param answers all that were given; those to questions without a number do not count
     */
    static Tally of(Asked asked, long beginNanos, List<Received> answers) {
        Rhythm rhythm = asked.rhythm();
        List<List<Received>> byPartition = new ArrayList<>();
        for (int i = 0; i < rhythm.partitions(); i++) {
            byPartition.add(new ArrayList<>());
        }
        answers.stream()
                .filter(it -> it.answer().number() > 0)
                .forEach(it -> byPartition.get(it.answer().partition()).add(it));
        Tally tally = new Tally();
        for (int partition = 0; partition < rhythm.partitions(); partition++) {
            long sent = rhythm.sentTo(partition, asked.count());
            tally.findGaps(rhythm, partition, sent, byPartition.get(partition));
            tally.add(asked, beginNanos, PartitionRecord.of(sent, byPartition.get(partition)));
        }
        return tally;
    }

    private void findGaps(Rhythm rhythm, int partition, long sent, List<Received> answers) {
        BitSet answered = new BitSet();
        answers.forEach(it -> answered.set((int) it.answer().number()));
        for (int from = answered.nextClearBit(1); from <= sent; ) {
            int next = answered.nextSetBit(from);
            long to = next < 0 ? sent : next - 1;
            gaps.add(String.format(
                    Locale.ROOT,
                    "partition %d: no answer to %d..%d, due %.3f to %.3f s after the start",
                    partition,
                    from,
                    to,
                    (rhythm.dueNanos(new Question(partition, from)) - rhythm.startNanos()) / 1e9,
                    (rhythm.dueNanos(new Question(partition, to)) - rhythm.startNanos()) / 1e9));
            from = answered.nextClearBit((int) to + 1);
        }
    }

    private void add(Asked asked, long beginNanos, PartitionRecord partition) {
        lost += partition.lost();
        doubled += partition.doubled();
        reordered += partition.reordered();
        forgotten += partition.forgotten();
        Rhythm rhythm = asked.rhythm();
        List<Window> windows = partition.moves().stream()
                .map(move -> Window.of(rhythm, move, partition))
                .filter(it -> it.beginNanos() >= beginNanos)
                .toList();
        long[] longest = new long[windows.size()];
        long[] latest = new long[windows.size()];
        for (Received received : partition.answers().values()) {
            long due = dueNanos(rhythm, received.answer());
            if (due < beginNanos) {
                continue;
            }
            long waited = received.atNanos() - due;
            boolean isInMove = false;
            for (int i = 0; i < longest.length; i++) {
                if (windows.get(i).contains(due)) {
                    isInMove = true;
                    longest[i] = Math.max(longest[i], waited);
                    latest[i] = Math.max(latest[i], asked.lateNanos(received.answer()));
                }
            }
            (isInMove ? duringMoves : betweenMoves).add(waited);
        }
        for (int i = 0; i < longest.length; i++) {
            longestOfMoves.add(longest[i]);
            latestOfMoves.add(latest[i]);
        }
    }

    private static long dueNanos(Rhythm rhythm, Answer answer) {
        return rhythm.dueNanos(new Question(answer.partition(), answer.number()));
    }

    private record Window(long beginNanos, long endNanos) {

        static Window of(Rhythm rhythm, PartitionRecord.Move move, PartitionRecord partition) {
            Answer last = partition.answers().get(move.last()).answer();
            Received first = partition.answers().get(move.first());
            return new Window(dueNanos(rhythm, last) - BEFORE_NANOS, first.atNanos() + AFTER_NANOS);
        }

        boolean contains(long nanos) {
            return nanos >= beginNanos && nanos <= endNanos;
        }
    }

    long lost() {
        return lost;
    }

    /** Which questions were lost, in words. */
    List<String> gaps() {
        return List.copyOf(gaps);
    }

    long doubled() {
        return doubled;
    }

    long reordered() {
        return reordered;
    }

    long forgotten() {
        return forgotten;
    }

    int moves() {
        return longestOfMoves.size();
    }

    /** The longest wait of each move: what so many of a hundred moves stayed within. */
    double longestOfMovesMillis(double percentile) {
        return millisAt(longestOfMoves, percentile);
    }

    /** The latest question of each move: so late so many of a hundred of these were. */
    double lateInMovesMillis(double percentile) {
        return millisAt(latestOfMoves, percentile);
    }

    /** Of all answers to questions that were due while their partition moved. */
    double duringMovesMillis(double percentile) {
        return millisAt(duringMoves, percentile);
    }

    /** Of all others. */
    double betweenMovesMillis(double percentile) {
        return millisAt(betweenMoves, percentile);
    }

    private static double millisAt(List<Long> nanos, double percentile) {
        return Percentile.of(nanos, percentile) / 1e6;
    }
}

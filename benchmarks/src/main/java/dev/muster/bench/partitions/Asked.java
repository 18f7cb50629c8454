package dev.muster.bench.partitions;

/**
 * All questions that were asked.
 *
 * @param lateNanos how long after it was due each of them was asked: what the machine does by itself, for whoever asks
 *     does nothing else
 */
record Asked(Rhythm rhythm, long[] lateNanos) {

    int count() {
        return lateNanos.length;
    }

    long lateNanos(Answer answer) {
        return lateNanos[(int) rhythm.index(answer.partition(), answer.number())];
    }
}

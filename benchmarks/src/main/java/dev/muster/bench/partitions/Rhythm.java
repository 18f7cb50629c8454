package dev.muster.bench.partitions;

/**
 * When which question is due: to one partition after the other, at even distances.
 *
 * @param startNanos when the first one is due
 * @param intervalNanos from one question to the next one, to whatever partition
 */
record Rhythm(long startNanos, long intervalNanos, int partitions) {

    long dueNanos(long index) {
        return startNanos + index * intervalNanos;
    }

    Question question(long index) {
        return new Question((int) (index % partitions), index / partitions + 1);
    }

    long index(int partition, long number) {
        return (number - 1) * partitions + partition;
    }

    long dueNanos(Question question) {
        return dueNanos(index(question.partition(), question.number()));
    }

    /** How many of the first {@code count} questions go to this partition. */
    long sentTo(int partition, long count) {
        return (count - partition + partitions - 1) / partitions;
    }
}

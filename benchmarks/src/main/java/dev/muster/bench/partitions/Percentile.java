package dev.muster.bench.partitions;

import java.util.Collection;

/** What so many of a hundred values stay within. */
final class Percentile {
    private Percentile() {}

    /** The smallest value that so many of a hundred values are not above; 0 if there are none. */
    static long of(Collection<Long> values, double percentile) {
        if (values.isEmpty()) {
            return 0;
        }
        long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
        int rank = (int) Math.ceil(percentile / 100 * sorted.length);
        return sorted[Math.max(0, rank - 1)];
    }
}

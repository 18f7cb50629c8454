package dev.muster.core.failure;

import java.util.Arrays;

/**
 * The last so many intervals between answers, with their mean and standard deviation.
 *
 * <p>Kept in whole microseconds and summed as integers, so what leaves the window takes away exactly what it once added
 * and the sums stay true over years. Thousands of histories may live in one process, most of them young, so the window
 * grows only as it fills.
 */
final class ArrivalHistory {
    private static final int FIRST_CAPACITY = 8;
    private static final long NANOS_PER_MICRO = 1_000;

    private final int maxSampleSize;
    private int[] micros;
    private int size;
    private int oldest;
    private long sum;
    // The sum of squares is squaresHigh * 2^32 + squaresLow: one long would overflow after a few long intervals.
    private long squaresHigh;
    private long squaresLow;

    ArrivalHistory(int maxSampleSize) {
        this.maxSampleSize = maxSampleSize;
        this.micros = new int[Math.min(maxSampleSize, FIRST_CAPACITY)];
    }

    /** Takes in an interval, and lets go of the oldest if the window is full. More than 35 minutes count as 35. */
    void add(long intervalNanos) {
        int interval = (int) Math.max(0, Math.min(Integer.MAX_VALUE, intervalNanos / NANOS_PER_MICRO));
        if (size == maxSampleSize) {
            count(micros[oldest], -1);
            micros[oldest] = interval;
            oldest = oldest + 1 == size ? 0 : oldest + 1;
        } else {
            if (size == micros.length) {
                micros = Arrays.copyOf(micros, (int) Math.min(maxSampleSize, 2L * size));
            }
            micros[size++] = interval;
        }
        count(interval, 1);
    }

    private void count(long interval, int sign) {
        long square = interval * interval;
        sum += sign * interval;
        squaresHigh += sign * (square >>> 32);
        squaresLow += sign * (square & 0xFFFF_FFFFL);
    }

    int size() {
        return size;
    }

    /** How many intervals there is room for at the moment. */
    int capacity() {
        return micros.length;
    }

    double meanNanos() {
        return size == 0 ? 0 : (double) sum / size * NANOS_PER_MICRO;
    }

    double stdDeviationNanos() {
        if (size == 0) {
            return 0;
        }
        double mean = (double) sum / size;
        double meanOfSquares = (squaresHigh * 0x1p32 + squaresLow) / size;
        // Equal intervals may come out a hair below zero, and the root of that is no number.
        return StrictMath.sqrt(Math.max(0, meanOfSquares - mean * mean)) * NANOS_PER_MICRO;
    }
}

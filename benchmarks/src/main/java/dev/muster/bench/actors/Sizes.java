package dev.muster.bench.actors;

import java.time.Duration;

/**
 * How much is done.
 *
 * @param warmUp each run is repeated for at least so long before anything counts
 * @param runs how often what counts is repeated; the median is taken
 */
record Sizes(int tells, int pingPongs, int asks, int actors, Duration warmUp, int runs) {

    private static final Sizes FULL = new Sizes(10_000_000, 16_000_000, 2_000_000, 1_000_000, Duration.ofSeconds(4), 3);

    private static final Sizes QUICK = new Sizes(100_000, 160_000, 10_000, 10_000, Duration.ofMillis(50), 1);

    static Sizes of(boolean quick) {
        return quick ? QUICK : FULL;
    }
}

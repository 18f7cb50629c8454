package dev.muster.core.partition;

import java.time.Duration;

/**
 * How nodes learn how busy the others are, and how often that changes the number of instances.
 *
 * @param interval how often a node says how busy it is. Longer: less traffic, and decisions about older load
 * @param askedAtOnce how many nodes the leader of a large cluster asks each time. More: a fuller picture, more traffic
 * @param scalingInterval how often numbers of instances are decided. Longer: sustained load and calm must last longer
 *     before anything happens
 */
public record LoadSettings(Duration interval, int askedAtOnce, Duration scalingInterval) {
    public static final int MOST_ASKED = 1_000;

    public LoadSettings {
        requirePositive("partitions.load-interval", interval);
        requirePositive("partitions.scaling-interval", scalingInterval);
        if (askedAtOnce < 1 || askedAtOnce > MOST_ASKED) {
            throw new IllegalArgumentException(
                    "partitions.load-asked-at-once must be from 1 to " + MOST_ASKED + ", was " + askedAtOnce);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(name + " must be positive, was " + value);
        }
    }

    public static LoadSettings defaults() {
        return new LoadSettings(Duration.ofSeconds(5), 8, Duration.ofSeconds(10));
    }
}

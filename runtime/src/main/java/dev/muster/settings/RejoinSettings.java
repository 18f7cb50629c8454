package dev.muster.settings;

/**
 * Whether a node that was removed joins again in the same process: {@code muster.cluster.rejoin}.
 *
 * @param enabled whether it does; otherwise the actor system stops
 * @param maxPerHour after this many within an hour it stops all the same
 */
public record RejoinSettings(boolean enabled, int maxPerHour) {

    public RejoinSettings {
        if (maxPerHour < 1) {
            throw new IllegalArgumentException("rejoin.max-per-hour must be at least 1, was " + maxPerHour);
        }
    }

    public static RejoinSettings defaults() {
        return new RejoinSettings(false, 10);
    }
}

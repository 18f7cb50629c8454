package dev.muster.core.failure;

import java.time.Duration;

/**
 * How soon silence becomes suspicion.
 *
 * @param heartbeatInterval time between two heartbeats to the same node
 * @param threshold phi above which a node is unreachable. Higher: fewer mistakes, slower. 8 suits most networks, 12
 *     clouds
 * @param maxSampleSize how many intervals between answers are remembered
 * @param minStdDeviation lower bound on how much the rhythm is believed to vary. Lower: sooner, and touchier
 * @param acceptableHeartbeatPause silence that is forgiven, such as a long garbage collection
 * @param expectedResponseAfter when the first answer of a new node is expected; before it there is no history to judge
 *     by
 * @param monitoredByNrOfMembers how many others watch each node
 */
public record FailureSettings(
        Duration heartbeatInterval,
        double threshold,
        int maxSampleSize,
        Duration minStdDeviation,
        Duration acceptableHeartbeatPause,
        Duration expectedResponseAfter,
        int monitoredByNrOfMembers) {

    public FailureSettings {
        requirePositive("failure-detector.heartbeat-interval", heartbeatInterval);
        requirePositive("failure-detector.min-std-deviation", minStdDeviation);
        requirePositive("failure-detector.expected-response-after", expectedResponseAfter);
        if (acceptableHeartbeatPause.isNegative()) {
            throw new IllegalArgumentException("failure-detector.acceptable-heartbeat-pause must not be negative, was "
                    + acceptableHeartbeatPause);
        }
        if (!(threshold > 0 && threshold <= 300)) {
            throw new IllegalArgumentException(
                    "failure-detector.threshold must be above 0 and at most 300, was " + threshold);
        }
        if (maxSampleSize < 1) {
            throw new IllegalArgumentException(
                    "failure-detector.max-sample-size must be at least 1, was " + maxSampleSize);
        }
        if (monitoredByNrOfMembers < 1) {
            throw new IllegalArgumentException(
                    "failure-detector.monitored-by-nr-of-members must be at least 1, was " + monitoredByNrOfMembers);
        }
    }

    private static void requirePositive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive, was " + value);
        }
    }

    public static FailureSettings defaults() {
        return new FailureSettings(
                Duration.ofSeconds(1),
                8.0,
                1000,
                Duration.ofMillis(100),
                Duration.ofSeconds(3),
                Duration.ofSeconds(1),
                5);
    }

    /** For clouds, where the network hiccups now and then. */
    public static FailureSettings cloud() {
        return defaults().withThreshold(12.0);
    }

    public FailureSettings withThreshold(double next) {
        return new FailureSettings(
                heartbeatInterval,
                next,
                maxSampleSize,
                minStdDeviation,
                acceptableHeartbeatPause,
                expectedResponseAfter,
                monitoredByNrOfMembers);
    }

    public FailureSettings withAcceptableHeartbeatPause(Duration next) {
        return new FailureSettings(
                heartbeatInterval,
                threshold,
                maxSampleSize,
                minStdDeviation,
                next,
                expectedResponseAfter,
                monitoredByNrOfMembers);
    }

    public FailureSettings withMonitoredByNrOfMembers(int next) {
        return new FailureSettings(
                heartbeatInterval,
                threshold,
                maxSampleSize,
                minStdDeviation,
                acceptableHeartbeatPause,
                expectedResponseAfter,
                next);
    }
}

package dev.muster.core.partition;

/**
 * What counts as too much for an instance, and how long it must last before the number of instances changes. There is
 * one set of these values, which suits any partition: how much load there may be is for users to say by the number of
 * instances that they allow.
 *
 * @param waitingPerInstance messages in a mailbox above which an instance has too much to do. Higher: fewer instances,
 *     longer waits
 * @param cpuLoad how busy a node may be, as a share, before a partition that keeps it busy needs more of them
 * @param gcShare how much of a node's time garbage collection may take, likewise
 * @param samplesToGrow how many samples in a row must be above. Lower: sooner, and also for short peaks
 * @param samplesToShrink how many samples are looked at before an instance is given up. Lower: sooner, and more often
 *     in vain
 */
public record ScalingSettings(
        double waitingPerInstance, double cpuLoad, double gcShare, int samplesToGrow, int samplesToShrink) {

    public ScalingSettings {
        if (!(waitingPerInstance > 0 && waitingPerInstance < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException(
                    "messages waiting per instance must be positive and finite, was " + waitingPerInstance);
        }
        requireShare("cpu load of a busy node", cpuLoad);
        requireShare("gc share of a busy node", gcShare);
        if (samplesToGrow < 1) {
            throw new IllegalArgumentException("samples to grow must be at least 1, was " + samplesToGrow);
        }
        if (samplesToShrink < samplesToGrow || samplesToShrink > DemandHistory.LONGEST) {
            throw new IllegalArgumentException("samples to shrink must be at least those to grow and at most "
                    + DemandHistory.LONGEST + ", was " + samplesToShrink);
        }
    }

    private static void requireShare(String name, double value) {
        if (!(value > 0 && value <= 1)) {
            throw new IllegalArgumentException(name + " must be above 0 and at most 1, was " + value);
        }
    }

    public static ScalingSettings defaults() {
        return new ScalingSettings(100, 0.8, 0.2, 3, 30);
    }
}

package dev.muster.core.partition;

/**
 * How hard a partition is pressed, at one moment, on average over its instances.
 *
 * @param waiting messages in the mailbox of an instance
 * @param share which part of all messages that wait on its nodes are its own, from 0 to 1
 * @param cpuLoad how busy its nodes are, from 0 to 1
 * @param gcShare how much of their time its nodes spend on collecting garbage, from 0 to 1
 */
public record Demand(double waiting, double share, double cpuLoad, double gcShare) {

    public Demand {
        if (!(waiting >= 0 && waiting < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("messages waiting must be a number from 0 on, was " + waiting);
        }
        requireShare("share of the messages waiting", share);
        requireShare("cpu load", cpuLoad);
        requireShare("gc share", gcShare);
    }

    private static void requireShare(String what, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException(what + " must be between 0 and 1, was " + value);
        }
    }

    /**
     * How much more than it can take, as a factor: above 1 more instances would help.
     *
     * <p>Busy nodes count as far as this partition is what keeps them busy. Otherwise every idle partition on a busy
     * node would multiply, and the one that is to blame would be no better off.
     */
    double pressure(ScalingSettings settings) {
        return Math.max(waiting / settings.waitingPerInstance(), share * nodePressure(settings));
    }

    /** How far from idle, on the same scale: here busy nodes count whoever keeps them busy. */
    double strain(ScalingSettings settings) {
        return Math.max(waiting / settings.waitingPerInstance(), nodePressure(settings));
    }

    private double nodePressure(ScalingSettings settings) {
        return Math.max(cpuLoad / settings.cpuLoad(), gcShare / settings.gcShare());
    }
}

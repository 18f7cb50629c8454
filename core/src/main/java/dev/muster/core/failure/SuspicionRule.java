package dev.muster.core.failure;

/**
 * The settings of a failure detector in the form its arithmetic needs, computed once and shared by all detectors of a
 * node.
 *
 * @param deviationsTolerated how many standard deviations late an answer may be before phi is above the threshold
 */
record SuspicionRule(
        long heartbeatIntervalNanos,
        long acceptablePauseNanos,
        long minStdDeviationNanos,
        long firstEstimateNanos,
        int maxSampleSize,
        double deviationsTolerated) {

    /** About 73 years: patience without end, and still far from where sums of times overflow. */
    private static final double LONGEST_PATIENCE = 0x1p61;

    static SuspicionRule of(FailureSettings settings) {
        long interval = settings.heartbeatInterval().toNanos();
        return new SuspicionRule(
                interval,
                settings.acceptableHeartbeatPause().toNanos(),
                settings.minStdDeviation().toNanos(),
                Math.max(interval, settings.expectedResponseAfter().toNanos()),
                settings.maxSampleSize(),
                PhiCurve.deviationsAt(settings.threshold()));
    }

    double phi(long silentNanos, ArrivalHistory history) {
        return PhiCurve.phi((silentNanos - expectedNanos(history)) / deviationNanos(history));
    }

    /** The longest silence at which phi is not yet above the threshold. */
    long patienceNanos(ArrivalHistory history) {
        double patience = expectedNanos(history) + deviationsTolerated * deviationNanos(history);
        return (long) Math.max(0, Math.min(LONGEST_PATIENCE, patience));
    }

    private double expectedNanos(ArrivalHistory history) {
        return history.meanNanos() + acceptablePauseNanos;
    }

    private double deviationNanos(ArrivalHistory history) {
        return Math.max(history.stdDeviationNanos(), (double) minStdDeviationNanos);
    }
}

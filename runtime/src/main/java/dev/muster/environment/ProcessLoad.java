package dev.muster.environment;

/** What this process has cost the machine since it began. Two readings tell how busy it was in between. */
@FunctionalInterface
public interface ProcessLoad {

    /** A process that does nothing. */
    ProcessLoad IDLE = () -> new Usage(0, 0, 1);

    Usage usage();

    /**
     * Sums that never shrink; 0 where the machine does not tell.
     *
     * @param cpuNanos processor time of all threads together
     * @param gcNanos time in which the process stood still to collect garbage
     * @param processors how many processors there are for it now
     */
    record Usage(long cpuNanos, long gcNanos, int processors) {}
}

package dev.muster.remote;

/** How long a connection that carries nothing is kept: as configured while all peers can be connected at once. */
final class ConnectionLimits {
    private static final long SHORT_NANOS = 3_000_000_000L;

    private ConnectionLimits() {}

    /**
     * Opening a connection again costs far more than keeping it, so everybody stays connected to everybody where that
     * can be afforded; elsewhere only neighbours on the ring do.
     *
     * @param affordable how many connections the process may have open to others
     */
    static long idleNanos(int peers, int affordable, long configuredNanos) {
        // Each peer that is dialled dials back.
        return 2L * peers <= affordable ? configuredNanos : Math.min(configuredNanos, SHORT_NANOS);
    }
}

package dev.muster.remote;

/** How long a connection that carries nothing is kept: the more peers, the shorter. */
final class ConnectionLimits {
    private static final int FEW_PEERS = 32;
    private static final long SHORT_NANOS = 3_000_000_000L;

    private ConnectionLimits() {}

    /** In a small cluster everybody may stay connected to everybody; in a large one only neighbours on the ring. */
    static long idleNanos(int peers, long configuredNanos) {
        return peers <= FEW_PEERS ? configuredNanos : Math.min(configuredNanos, SHORT_NANOS);
    }
}

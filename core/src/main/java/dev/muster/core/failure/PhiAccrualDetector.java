package dev.muster.core.failure;

/**
 * Estimates how likely it is that a node has died, from the rhythm of its answers to heartbeats.
 *
 * <p>Think of waiting for a bus that usually comes every minute: after two minutes you wonder, after ten you walk. Phi
 * is that growing doubt on a log scale: at 8 we would be wrong once in 10^8 times. With each answer the threshold on
 * phi is turned into a length of silence, so that the time at which doubt becomes suspicion is known in advance and
 * nobody has to keep looking.
 *
 * <p>Silence counts only once we asked, or an observer that was itself held up would blame the others.
 *
 * <p>Specification: "Failure Detector".
 */
final class PhiAccrualDetector {
    private static final long REPEATS_PER_INTERVAL = 4;

    private final SuspicionRule rule;
    private final ArrivalHistory history;

    private boolean wasEverAsked;
    private boolean isAwaitingAnswer;
    private long lastAskedNanos;
    private long lastAnswerNanos; // until the first answer: when it was first asked
    private long silentSinceNanos;
    private long patienceNanos;

    PhiAccrualDetector(SuspicionRule rule) {
        this.rule = rule;
        this.history = new ArrivalHistory(rule.maxSampleSize());
        // No rhythm is known yet. The guess is given a generous spread, and real intervals soon outweigh it.
        long estimate = rule.firstEstimateNanos();
        history.add(estimate - estimate / 4);
        history.add(estimate + estimate / 4);
        this.patienceNanos = rule.patienceNanos(history);
    }

    /** A heartbeat goes out. The first one starts the clock, so that a node which never answers is found as well. */
    void asked(long nowNanos) {
        if (!wasEverAsked) {
            wasEverAsked = true;
            lastAnswerNanos = nowNanos;
            silentSinceNanos = nowNanos;
        } else if (!isAwaitingAnswer) {
            silentSinceNanos = silenceBegin(silentSinceNanos, nowNanos);
        }
        isAwaitingAnswer = true;
        lastAskedNanos = nowNanos;
    }

    /**
     * An answer came.
     *
     * @param isInRhythm whether the time since the answer before says something about the usual rhythm; not so after an
     *     outage or a pause of our own
     */
    void answered(long atNanos, boolean isInRhythm) {
        // Two lanes may report out of order; time goes forward nevertheless.
        long arrival = Math.max(atNanos, lastAnswerNanos);
        if (isInRhythm) {
            history.add(arrival - lastAnswerNanos);
            patienceNanos = rule.patienceNanos(history);
        }
        lastAnswerNanos = arrival;
        // An answer may be handled late, when the next heartbeat is already on its way.
        isAwaitingAnswer = lastAskedNanos > arrival;
        silentSinceNanos = isAwaitingAnswer ? silenceBegin(arrival, lastAskedNanos) : arrival;
    }

    private long silenceBegin(long lastAnswer, long firstAskedAfter) {
        return Math.max(lastAnswer, firstAskedAfter - rule.heartbeatIntervalNanos());
    }

    /** This node itself was held up for so long: what it missed in that time is nobody's fault. */
    void excuse(long lateByNanos, long nowNanos) {
        lastAskedNanos = later(lastAskedNanos, lateByNanos, nowNanos);
        lastAnswerNanos = later(lastAnswerNanos, lateByNanos, nowNanos);
        silentSinceNanos = later(silentSinceNanos, lateByNanos, nowNanos);
    }

    private static long later(long timeNanos, long byNanos, long nowNanos) {
        return Math.max(timeNanos, Math.min(timeNanos + byNanos, nowNanos));
    }

    /** The doubt: 0 or more, finite, and never falling while no answer comes. */
    double phi(long nowNanos) {
        return wasEverAsked ? rule.phi(silentNanos(nowNanos), history) : 0;
    }

    private long silentNanos(long nowNanos) {
        long silent = Math.max(0, nowNanos - silentSinceNanos);
        return isAwaitingAnswer ? silent : Math.min(silent, rule.heartbeatIntervalNanos());
    }

    /** Whether phi is above the threshold. */
    boolean isSuspicious(long nowNanos) {
        return nowNanos >= suspiciousFromNanos();
    }

    /** The first moment at which phi is above the threshold if no answer comes; the end of time if we did not ask. */
    long suspiciousFromNanos() {
        return isAwaitingAnswer ? silentSinceNanos + patienceNanos + 1 : Long.MAX_VALUE;
    }

    /**
     * When to ask again without waiting for the beat: often, once two intervals passed in silence. Some lost messages
     * in a row then do not look like a death, and patience with the dead need not grow for it.
     */
    long askAgainNanos() {
        long interval = rule.heartbeatIntervalNanos();
        return isAwaitingAnswer
                ? Math.max(silentSinceNanos + 2 * interval, lastAskedNanos + interval / REPEATS_PER_INTERVAL)
                : Long.MAX_VALUE;
    }
}

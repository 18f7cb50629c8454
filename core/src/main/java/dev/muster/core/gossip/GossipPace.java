package dev.muster.core.gossip;

import dev.muster.core.state.ClusterState;

/**
 * When to gossip: one round per interval, three while fewer than half have seen the version, and on top of that a small
 * allowance for spreading news the moment it arrives.
 *
 * <p>The allowance refills by {@code burst} messages per interval, so a storm of changes costs no more than that; by
 * more of them in a small cluster, where each of them is shorter, and for news of one's own, which few have at a time.
 */
final class GossipPace {
    private static final int FAST_ROUNDS_PER_INTERVAL = 3;
    private static final int ANSWERS_PER_INTERVAL = 50;

    /** In a cluster of this size the burst is what it is set to; in one of half the size it is twice that. */
    private static final int FULL_SIZE = 75;

    private static final int MOST_BURSTS = 5;

    /** News out of a message waits so long for more: where much happens at once, much is told at once. */
    private static final long NEWS_WAITS_NANOS = 10_000_000;

    private final long intervalNanos;
    private final int burst;
    private boolean hasOwnNews;
    private long lastRoundNanos;
    private double allowance;
    private long allowanceAtNanos;
    private double answers = ANSWERS_PER_INTERVAL;
    private long answersAtNanos;
    private long newsDueNanos = Long.MAX_VALUE;

    GossipPace(GossipSettings settings, long nowNanos, double phase) {
        this.intervalNanos = settings.interval().toNanos();
        this.burst = settings.burst();
        // Nodes that start together must not gossip in step for ever.
        this.lastRoundNanos = nowNanos - (long) (intervalNanos * phase);
        this.allowance = MOST_BURSTS * burst; // what is too much is taken away when it is used
        this.allowanceAtNanos = nowNanos;
        this.answersAtNanos = nowNanos;
    }

    /** Whether news may be told between rounds at all. */
    boolean isFasterThanRounds() {
        return burst > 0;
    }

    boolean isRoundDue(ClusterState state, long nowNanos) {
        return nowNanos >= nextRoundNanos(state);
    }

    long nextRoundNanos(ClusterState state) {
        return lastRoundNanos + intervalNanos / (isEarly(state) ? FAST_ROUNDS_PER_INTERVAL : 1);
    }

    /** The early phase of spreading: fewer than half of the members have seen the version. */
    static boolean isEarly(ClusterState state) {
        return state.seen().count() * 2 < state.members().size();
    }

    void roundDone(long nowNanos) {
        lastRoundNanos = nowNanos;
    }

    /** Whether what is to be told is news of this node's own making. */
    void setOwnNews(boolean isMyOwn) {
        hasOwnNews = isMyOwn;
    }

    /** Something can be told. However much more comes in, the first of it does not wait any longer for that. */
    void newsCameIn(long nowNanos) {
        newsDueNanos = Math.min(newsDueNanos, nowNanos + NEWS_WAITS_NANOS);
    }

    /** Something has to be told that nothing else is going to come with. */
    void newsIsUrgent(long nowNanos) {
        newsDueNanos = Math.min(newsDueNanos, nowNanos);
    }

    boolean isNewsDue(long nowNanos) {
        return nowNanos >= newsDueNanos;
    }

    long newsDueNanos() {
        return newsDueNanos;
    }

    /**
     * What could be told was told. What is left has to wait for the allowance, and takes along what comes until then.
     */
    void newsIsTold(boolean someIsLeft, ClusterState state, long nowNanos) {
        newsDueNanos = someIsLeft ? Math.max(nowNanos + NEWS_WAITS_NANOS, nextAllowanceNanos(state)) : Long.MAX_VALUE;
    }

    /** Takes one message from the allowance, if there is one. */
    boolean takeFromAllowance(ClusterState state, long nowNanos) {
        refill(state, nowNanos);
        if (allowance < 1) {
            return false;
        }
        allowance -= 1;
        return true;
    }

    /** When the allowance will hold a whole message; never when there is none at all. */
    long nextAllowanceNanos(ClusterState state) {
        if (burst == 0) {
            return Long.MAX_VALUE;
        }
        double missing = Math.max(0, 1 - allowance);
        return allowanceAtNanos + (long) Math.ceil(missing * intervalNanos / burstIn(state));
    }

    private int burstIn(ClusterState state) {
        if (hasOwnNews) {
            return MOST_BURSTS * burst;
        }
        int shorter = burst * FULL_SIZE / Math.max(1, state.members().size());
        return Math.max(burst, Math.min(MOST_BURSTS * burst, shorter));
    }

    /**
     * Whether one more answer may be sent. Where much changes at once and news is slow, every answer would be answered
     * in turn; what is left unsaid here the next rounds will say.
     */
    boolean mayAnswer(long nowNanos) {
        double earned = (double) (nowNanos - answersAtNanos) * ANSWERS_PER_INTERVAL / intervalNanos;
        answers = Math.min(ANSWERS_PER_INTERVAL, answers + Math.max(0, earned));
        answersAtNanos = Math.max(nowNanos, answersAtNanos);
        if (answers < 1) {
            return false;
        }
        answers -= 1;
        return true;
    }

    private void refill(ClusterState state, long nowNanos) {
        int most = burstIn(state);
        double earned = (double) (nowNanos - allowanceAtNanos) * most / intervalNanos;
        allowance = Math.min(most, allowance + Math.max(0, earned));
        allowanceAtNanos = Math.max(nowNanos, allowanceAtNanos);
    }
}

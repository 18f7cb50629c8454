package dev.muster.core.failure;

import dev.muster.core.state.NodeId;
import dev.muster.core.state.ReachabilityStatus;

/**
 * One node that this node sends heartbeats to: which of them it answered, and what we say of it.
 *
 * <p>Only answers to heartbeats that were really sent to this incarnation count, each once and none after a later one.
 */
final class WatchedNode {
    private final NodeId id;
    private final PhiAccrualDetector detector;

    private boolean isNew = true;
    private long lastAskedSequence;
    private long lastAnsweredSequence;
    private long rhythmFromSequence;
    private boolean hasEverAnswered;
    private long lastReplyNanos;

    private ReachabilityStatus word = ReachabilityStatus.REACHABLE;
    private boolean isDown;
    private boolean answeredSinceAccused;

    WatchedNode(NodeId id, SuspicionRule rule) {
        this.id = id;
        this.detector = new PhiAccrualDetector(rule);
    }

    NodeId id() {
        return id;
    }

    PhiAccrualDetector detector() {
        return detector;
    }

    boolean hasEverAnswered() {
        return hasEverAnswered;
    }

    long lastReplyNanos() {
        return lastReplyNanos;
    }

    /** Takes over what the cluster state says: our own word on the node, and whether it is down. */
    void follow(ReachabilityStatus ownWord, boolean isMemberDown) {
        if (ownWord != word) {
            word = ownWord;
            answeredSinceAccused = false;
        }
        isDown = isMemberDown;
    }

    /** When it is to be asked next if that is before the beat: at once if it is new, soon if we begin to doubt. */
    long askAgainNanos() {
        return isNew ? Long.MIN_VALUE : isAccusable() ? detector.askAgainNanos() : Long.MAX_VALUE;
    }

    /** The first heartbeat to a new node does not wait for the beat, so it begins no interval worth remembering. */
    void asked(long sequence, boolean isOnTheBeat, long nowNanos) {
        if (isNew) {
            isNew = false;
            lastAnsweredSequence = sequence - 1;
            rhythmFromSequence = isOnTheBeat ? sequence : sequence + 1;
        }
        lastAskedSequence = sequence;
        detector.asked(nowNanos);
    }

    /** Whether the reply counted. */
    boolean answered(long sequence, long atNanos) {
        if (sequence <= lastAnsweredSequence || sequence > lastAskedSequence) {
            return false;
        }
        if (isAccused() || detector.isSuspicious(atNanos)) {
            breakRhythm();
        }
        detector.answered(atNanos, lastAnsweredSequence >= rhythmFromSequence);
        lastAnsweredSequence = sequence;
        lastReplyNanos = hasEverAnswered ? Math.max(lastReplyNanos, atNanos) : atNanos;
        hasEverAnswered = true;
        answeredSinceAccused = true;
        return true;
    }

    void excuse(long lateByNanos, long nowNanos) {
        detector.excuse(lateByNanos, nowNanos);
        breakRhythm();
    }

    /** After an outage or a pause, answers to all that was asked until now come in a bunch and tell no rhythm. */
    private void breakRhythm() {
        rhythmFromSequence = lastAskedSequence + 1;
    }

    boolean isAccused() {
        return word == ReachabilityStatus.UNREACHABLE;
    }

    /** Whether it is, or could become, unreachable by our word. What is down or quarantined needs no accuser. */
    boolean isAccusable() {
        return word == ReachabilityStatus.REACHABLE && !isDown;
    }

    boolean isBack(long nowNanos) {
        return isAccused() && answeredSinceAccused && !detector.isSuspicious(nowNanos);
    }
}

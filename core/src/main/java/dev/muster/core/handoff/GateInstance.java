package dev.muster.core.handoff;

import java.util.List;
import java.util.Optional;

/**
 * The instance behind a gate: whether there is one, whether it comes or goes, and when one that failed is tried again.
 */
final class GateInstance {

    private enum Stage {
        EMPTY,
        CREATING,
        RUNNING,
        RETIRING
    }

    private final Hands<?> hands;
    private final StartAgain startAgain = new StartAgain();
    private Stage stage = Stage.EMPTY;
    /** Whether the partition has ended since it was asked to end: what it leaves is for no other one. */
    private boolean isForgotten;

    GateInstance(Hands<?> hands) {
        this.hands = hands;
    }

    // ---- What is done with it.

    /** Makes one that may act at once. */
    void create(long epoch, Optional<List<byte[]>> state) {
        stage = Stage.CREATING;
        startAgain.begins(state);
        hands.create(epoch, state);
        hands.letAct();
    }

    /** A move has made one. */
    void isCreatedByMove() {
        stage = Stage.CREATING;
    }

    /** Lets it end, and what it knows with it. */
    void retire() {
        stage = Stage.RETIRING;
        hands.retire(false);
    }

    /** A move lets it end. */
    void isRetiredByMove() {
        stage = Stage.RETIRING;
    }

    // ---- What becomes of it.

    void onStarted() {
        stage = Stage.RUNNING;
        startAgain.hasStarted();
    }

    void onStartFailed(long nowNanos) {
        stage = Stage.EMPTY;
        startAgain.fails(nowNanos);
    }

    /** It has ended by itself: the next one begins a little later, and without what this one knew. */
    void onEnded(long nowNanos) {
        stage = Stage.EMPTY;
        startAgain.fails(nowNanos);
        startAgain.startsWith(Optional.empty());
    }

    /** Returns what it leaves to the next one, of what it left. */
    Optional<List<byte[]>> onRetired(Optional<List<byte[]>> state) {
        stage = Stage.EMPTY;
        boolean isForNobody = isForgotten;
        isForgotten = false;
        return isForNobody ? Optional.empty() : state;
    }

    /** It is there as before. Returns whether it should not be. */
    boolean onNotRetired() {
        stage = Stage.RUNNING;
        boolean shouldNot = isForgotten;
        isForgotten = false;
        return shouldNot;
    }

    /** The partition has ended. It may be wanted again before its instance is gone. */
    void onPartitionEnded() {
        isForgotten = stage == Stage.RETIRING;
    }

    /** What the next one starts with. */
    void nextStartsWith(Optional<List<byte[]>> state) {
        startAgain.startsWith(state);
    }

    /** No instance of this partition is a matter of this node any more. */
    void forget() {
        startAgain.forget();
    }

    // ---- How things are.

    boolean isEmpty() {
        return stage == Stage.EMPTY;
    }

    boolean isCreating() {
        return stage == Stage.CREATING;
    }

    boolean isRunning() {
        return stage == Stage.RUNNING;
    }

    boolean isRetiring() {
        return stage == Stage.RETIRING;
    }

    /** Whether there is one that is not about to go. */
    boolean isKept() {
        return stage == Stage.RUNNING || stage == Stage.CREATING;
    }

    /** Whether the last one could not start or has ended by itself, and none has started since. */
    boolean hasFailed() {
        return startAgain.hasFailed();
    }

    /** Whether there is none because it does not start. */
    boolean lacksOneThatStarts() {
        return isEmpty() && hasFailed();
    }

    /** What one that failed was to start with. */
    Optional<List<byte[]>> stateForNext() {
        return startAgain.state();
    }

    /** When it is to be tried again; never, if there is one. */
    long dueNanos() {
        return isEmpty() ? startAgain.dueNanos() : Long.MAX_VALUE;
    }
}

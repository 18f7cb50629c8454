package dev.muster.cluster.engine;

import dev.muster.actor.engine.Fence;
import dev.muster.environment.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Keeps partitions from running after a pause until the core has seen what time it is.
 *
 * <p>A process that stood still for long does not know it: its actors go on as if nothing had happened, while the
 * others may have given their partitions to somebody else. The core notices, but its turn may come after theirs. So
 * whoever wants to run looks how long ago the core had a turn. If that is too long ago, the fence is closed, the core
 * is asked for a turn, and whoever came waits until it has taken it. Only a turn of the core opens the fence, never
 * time alone.
 *
 * <p>Used from any thread.
 */
final class ResumeFence implements Fence {

    private final Clock clock;
    private final long openNanos;
    private final Runnable askCore;

    private volatile long lastTurnNanos;
    private volatile boolean isOver;

    // Guarded by this.
    private List<Runnable> waiting = new ArrayList<>();
    private boolean isAsked;

    /**
     * @param halfPauseNanos half the pause that others accept of a node before they think it dead: when the core has
     *     had no turn for longer, the fence is closed
     * @param askCore asks for a turn of the core soon, and does not wait for it; called without a lock
     */
    ResumeFence(Clock clock, long halfPauseNanos, Runnable askCore) {
        if (halfPauseNanos <= 0) {
            throw new IllegalArgumentException("half the acceptable pause must be positive, was " + halfPauseNanos);
        }
        this.clock = Objects.requireNonNull(clock, "clock");
        this.openNanos = halfPauseNanos;
        this.askCore = Objects.requireNonNull(askCore, "askCore");
        this.lastTurnNanos = clock.nanoTime();
    }

    @Override
    public boolean isOpen() {
        if (hasTurnedLately()) {
            return true;
        }
        askOnce();
        return false;
    }

    @Override
    public void whenOpen(Runnable task) {
        if (addIfClosed(task)) {
            askOnce();
        } else {
            task.run();
        }
    }

    /** Looks again with the lock held: a turn of the core that ended just now took only those who waited by then. */
    private synchronized boolean addIfClosed(Runnable task) {
        return !hasTurnedLately() && waiting.add(task);
    }

    /**
     * The core has had a turn. Called by its driver after each one.
     *
     * @param nowNanos the time that the core was told in that turn, read when it began. The time of its end would not
     *     do: a pause in the middle of the turn is one that the core does not know of
     */
    void coreTurned(long nowNanos) {
        lastTurnNanos = nowNanos;
        List<Runnable> free;
        boolean someStillWait;
        synchronized (this) {
            isAsked = false;
            free = hasTurnedLately() ? takeWaiting() : List.of();
            someStillWait = !waiting.isEmpty();
        }
        free.forEach(Runnable::run);
        if (someStillWait) {
            askOnce();
        }
    }

    /** The core gets no turns any more: the fence stays open, so that actors can at least stop. */
    void coreStopped() {
        isOver = true;
        List<Runnable> free;
        synchronized (this) {
            free = takeWaiting();
        }
        free.forEach(Runnable::run);
    }

    private List<Runnable> takeWaiting() {
        List<Runnable> all = waiting;
        waiting = new ArrayList<>();
        return all;
    }

    private boolean hasTurnedLately() {
        return isOver || clock.nanoTime() - lastTurnNanos <= openNanos;
    }

    /** Once for each time that the fence is closed. */
    private void askOnce() {
        synchronized (this) {
            if (isAsked) {
                return;
            }
            isAsked = true;
        }
        askCore.run();
    }
}

package dev.muster.actor.engine;

/** Says whether turns may be taken now. Used from any thread. */
public interface Fence {

    boolean isOpen();

    /** Runs {@code task} once, as soon as it is open: at once if it is, else in the order of these calls. */
    void whenOpen(Runnable task);
}

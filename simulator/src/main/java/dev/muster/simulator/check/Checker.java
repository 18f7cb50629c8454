package dev.muster.simulator.check;

/**
 * Watches a world from outside and says when something that must hold does not. One class for each idea; the ids it
 * reports are those of docs/invariants.md.
 *
 * <p>A checker sees everything and touches nothing. It keeps its own memory of what really happened, so it never has to
 * believe what a node believes.
 */
public interface Checker {
    /** A core handled one input. Called for every step, most of which change no state: return quickly. */
    default void onStep(Step step) {}

    /** A process was started, crashed, paused, resumed, or stopped itself. */
    default void onProcess(ProcessChange change) {}

    /** Something happened to a letter or to an instance of a partition. */
    default void onWork(WorkStep step) {}

    /** The run is over. In a liveness run the faults have been over for {@link WorldView#quietForNanos()} by now. */
    default void atEnd(WorldView world) {}
}

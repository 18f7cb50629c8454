package dev.muster.node.command;

/** Looks on while one seed runs. What it does never changes the run. */
public interface SimulationWatcher {

    /** Virtual time has reached this point; called now and then. */
    void reached(long simulatedNanos);

    /** How many threads this run may use, if it is made of several worlds. */
    int threads();

    /** Whether anyone reads the trace; if not, there is no need to write it down. */
    boolean wantsTrace();

    /** One line of the trace, without its line end. */
    void trace(String line);
}

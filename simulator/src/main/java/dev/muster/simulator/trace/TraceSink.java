package dev.muster.simulator.trace;

/** Whoever wants to read along while a world runs. What it does never changes the run. */
@FunctionalInterface
public interface TraceSink {
    /**
     * One thing happened.
     *
     * @param who a node such as {@code n3#1} (slot 3, its second process), or {@code world}
     * @param isNotable true for what a person wants in a short timeline: faults, processes, published events
     */
    void line(long worldNanos, String who, String what, boolean isNotable);
}

package dev.muster.simulator.check;

/** Something that happened to a process as a whole. */
public record ProcessChange(WorldView world, NodeView node, Kind kind) {
    public enum Kind {
        STARTED,
        /** Killed from outside; sends nothing more. */
        CRASHED,
        PAUSED,
        RESUMED,
        /** Stopped by its own core ({@code Effect.StopNode}). */
        STOPPED_ITSELF
    }
}

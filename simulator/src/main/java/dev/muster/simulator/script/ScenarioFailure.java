package dev.muster.simulator.script;

/** A scenario that cannot be read or played, with the line that is to blame. */
public final class ScenarioFailure extends IllegalArgumentException {
    public ScenarioFailure(int line, String problem) {
        super("line " + line + ": " + problem);
    }
}

package dev.muster.simulator;

import dev.muster.simulator.plan.SimulationOptions;

/** What to type to run a seed again with these options. */
record Replay(long seed, SimulationOptions options) {
    @Override
    public String toString() {
        return "./muster simulate --seed " + seed + options.commandLine();
    }
}

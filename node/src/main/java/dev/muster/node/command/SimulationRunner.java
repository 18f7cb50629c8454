package dev.muster.node.command;

import java.util.List;

/**
 * What the command line needs from the simulator: the words it knows, and one run.
 *
 * <p>Called by several threads at once, one seed each; runs share nothing.
 */
public interface SimulationRunner {

    /** The kinds of fault that {@code --faults} may name, in the order they are shown. */
    List<String> faultKinds();

    /** The strategies that {@code --downing} may name. */
    List<String> downingStrategies();

    /** The scenarios that are built in, so that {@code --scenario} can name them without a file. */
    List<String> scenarios();

    /**
     * Runs one seed to its end.
     *
     * @throws IllegalArgumentException if the request makes no sense, with a message for the user
     */
    SeedOutcome run(SimulationRequest request, long seed, SimulationWatcher watcher);

    /** The shortest schedule of faults found that still breaks what this seed breaks, as text; empty if it is clean. */
    default String shortestStory(SimulationRequest request, long seed) {
        return "";
    }
}

package dev.muster.simulator.experiment;

import dev.muster.simulator.SimulatedCluster;
import java.util.List;

/**
 * A figure that is not as promised.
 *
 * @param promise its id, such as {@code F2}
 * @param what the figure, and what it should have been, in a sentence
 */
public record BrokenPromise(String promise, String what) {

    /** Experiments run without checkers, but an exception in a core stops their world and must not pass unnoticed. */
    static List<BrokenPromise> in(SimulatedCluster cluster) {
        return cluster.violations().stream()
                .map(found -> new BrokenPromise(found.invariant(), found.toString()))
                .toList();
    }
}

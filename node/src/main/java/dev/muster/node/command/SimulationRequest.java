package dev.muster.node.command;

import dev.muster.simulator.plan.Excerpt;
import dev.muster.simulator.plan.WireMode;
import dev.muster.simulator.plan.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What the user asked for, checked, for any seed.
 *
 * @param nodes how many nodes, or empty to let the seed draw it
 * @param length how long in simulated time, or empty for what the simulator finds fitting
 * @param faults the kinds of fault that may happen; empty for none
 * @param downing the downing strategy, or empty to let the seed draw it
 * @param scenario a scenario to play, or empty for free play with faults
 * @param excerpt which parts of a run are kept
 * @param wire what travels between nodes
 * @param workload what the nodes are used for
 */
public record SimulationRequest(
        OptionalInt nodes,
        Optional<Duration> length,
        List<String> faults,
        Optional<String> downing,
        Optional<Scenario> scenario,
        Excerpt excerpt,
        WireMode wire,
        Workload workload) {

    public SimulationRequest {
        faults = List.copyOf(faults);
    }

    /**
     * A scenario that is built in, or one from a file.
     *
     * @param name its name, or the file as the user wrote it
     * @param script the text of the file; empty if built in
     */
    public record Scenario(String name, Optional<String> script) {}
}

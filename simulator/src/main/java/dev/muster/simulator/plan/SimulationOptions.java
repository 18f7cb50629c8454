package dev.muster.simulator.plan;

import dev.muster.simulator.fault.FaultKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * What a user asked for; whatever is left open is drawn by the seed.
 *
 * @param nodes how many nodes the run starts with
 * @param length simulated time
 * @param faults which kinds may happen. Empty, or all of them: the seed switches each on or off. Any other list:
 *     exactly those
 * @param downing name of a downing strategy, one of {@link Strategies#names()}
 * @param excerpt which parts of the run are kept; all of it, unless a failure was made shorter
 * @param wire what travels between nodes; never drawn, and without influence on what happens
 * @param workload what the nodes are used for; never drawn
 */
public record SimulationOptions(
        OptionalInt nodes,
        Optional<Duration> length,
        Optional<List<FaultKind>> faults,
        Optional<String> downing,
        Excerpt excerpt,
        WireMode wire,
        Workload workload) {

    public static final SimulationOptions DRAWN = new SimulationOptions(
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Excerpt.WHOLE,
            WireMode.RECORDS,
            Workload.NONE);

    public SimulationOptions {
        if (nodes.isPresent() && nodes.getAsInt() < 1) {
            throw new IllegalArgumentException("nodes must be at least 1, was " + nodes.getAsInt());
        }
        if (length.isPresent() && (length.get().isNegative() || length.get().isZero())) {
            throw new IllegalArgumentException("length must be positive, was " + length.get());
        }
        faults = faults.map(kinds -> kinds.stream().distinct().sorted().toList());
        downing.ifPresent(Strategies::requireKnown);
    }

    public SimulationOptions withNodes(int next) {
        return new SimulationOptions(OptionalInt.of(next), length, faults, downing, excerpt, wire, workload);
    }

    public SimulationOptions withLength(Duration next) {
        return new SimulationOptions(nodes, Optional.of(next), faults, downing, excerpt, wire, workload);
    }

    public SimulationOptions withFaults(List<FaultKind> next) {
        return new SimulationOptions(nodes, length, Optional.of(next), downing, excerpt, wire, workload);
    }

    public SimulationOptions withDowning(String next) {
        return new SimulationOptions(nodes, length, faults, Optional.of(next), excerpt, wire, workload);
    }

    public SimulationOptions withExcerpt(Excerpt next) {
        return new SimulationOptions(nodes, length, faults, downing, next, wire, workload);
    }

    public SimulationOptions withWire(WireMode next) {
        return new SimulationOptions(nodes, length, faults, downing, excerpt, next, workload);
    }

    public SimulationOptions withWorkload(Workload next) {
        return new SimulationOptions(nodes, length, faults, downing, excerpt, wire, next);
    }

    /** Whether the seed chooses among the kinds of fault. */
    boolean drawsFaults() {
        return faults.isEmpty() || faults.get().size() == FaultKind.values().length;
    }

    /** As written on the command line, each with a space before it. */
    public String commandLine() {
        StringBuilder line = new StringBuilder();
        nodes.ifPresent(count -> line.append(" --nodes ").append(count));
        length.ifPresent(time -> line.append(" --for ").append(time.toMillis()).append("ms"));
        if (faults.isPresent() && !drawsFaults()) {
            String names = faults.get().stream().map(FaultKind::displayName).collect(Collectors.joining(","));
            line.append(" --faults ").append(names.isEmpty() ? "none" : names);
        }
        downing.ifPresent(name -> line.append(" --downing ").append(name));
        if (wire != WireMode.RECORDS) {
            line.append(" --wire ").append(wire.displayName());
        }
        if (workload != Workload.NONE) {
            line.append(" --workload ").append(workload.displayName());
        }
        return line.append(excerpt.commandLine()).toString();
    }
}

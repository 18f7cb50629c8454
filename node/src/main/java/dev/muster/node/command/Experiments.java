package dev.muster.node.command;

import dev.muster.simulator.experiment.Balance;
import dev.muster.simulator.experiment.Bench;
import dev.muster.simulator.experiment.CrashDetection;
import dev.muster.simulator.experiment.Drain;
import dev.muster.simulator.experiment.ExperimentResult;
import dev.muster.simulator.experiment.FalseAlarms;
import dev.muster.simulator.experiment.Growth;
import dev.muster.simulator.experiment.MassCrash;
import dev.muster.simulator.experiment.SickNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The experiments by the names that {@code --scenario} takes, each in its full form unless less is asked for. */
final class Experiments {
    static final String FALSE_ALARMS = "false-alarms";
    static final String SICK_NODE = "sick-node";
    static final String CRASH_DETECTION = "crash-detection";
    static final String GROWTH = "growth";
    static final String MASS_CRASH = "mass-crash";
    static final String DRAIN = "drain";
    static final String BALANCE = "balance";

    private static final int SICK_NODE_REPETITIONS = 3;
    private static final int LEAST_NODES = 3;
    private static final double AVERAGE_NODES_OF_FALSE_ALARMS = 7.5;
    private static final double NANOS_PER_HOUR = 3.6e12;

    private Experiments() {}

    static List<String> names() {
        return List.of(FALSE_ALARMS, SICK_NODE, CRASH_DETECTION, GROWTH, MASS_CRASH, DRAIN, BALANCE);
    }

    static SeedOutcome run(String name, SimulationRequest request, long seed, SimulationWatcher watcher) {
        refuseWhatHasNoMeaning(name, request, watcher);
        Bench bench = new Bench(watcher.threads(), watcher::reached);
        return outcomeOf(
                switch (name) {
                    case FALSE_ALARMS -> FalseAlarms.run(seed, request.nodes(), nodeHours(request), bench);
                    case SICK_NODE ->
                        SickNode.run(
                                seed,
                                wards(request),
                                request.length().orElse(SickNode.FULL_ILLNESS),
                                SICK_NODE_REPETITIONS,
                                bench);
                    case CRASH_DETECTION ->
                        CrashDetection.run(seed, crashSizes(request), CrashDetection.FULL_CRASHES, bench);
                    case GROWTH -> Growth.run(seed, growthSizes(request), bench);
                    case MASS_CRASH -> MassCrash.run(seed, massCrashes(request), bench);
                    case DRAIN -> Drain.run(seed, drainSizes(request), Drain.FULL_PARTITIONS, bench);
                    case BALANCE ->
                        Balance.run(seed, request.nodes().orElse(Balance.NODES), Balance.FULL_PARTITIONS, bench);
                    default -> throw new IllegalArgumentException("there is no scenario " + name);
                });
    }

    private static void refuseWhatHasNoMeaning(String name, SimulationRequest request, SimulationWatcher watcher) {
        if (watcher.wantsTrace()) {
            throw new IllegalArgumentException(name + " runs many worlds, and --trace holds one; leave it out");
        }
        if (!request.faults().isEmpty() || request.downing().isPresent()) {
            throw new IllegalArgumentException(
                    name + " brings its own faults and strategies; leave out --faults and --downing");
        }
        if (request.length().isPresent() && !List.of(FALSE_ALARMS, SICK_NODE).contains(name)) {
            throw new IllegalArgumentException(name + " takes as long as it takes; leave out --for");
        }
        if (request.nodes().orElse(LEAST_NODES) < LEAST_NODES) {
            throw new IllegalArgumentException(name + " needs at least " + LEAST_NODES + " nodes, was "
                    + request.nodes().getAsInt());
        }
    }

    /** {@code --for} is the time of each condition, with as many nodes as there are. */
    private static double nodeHours(SimulationRequest request) {
        double nodes = request.nodes().isPresent() ? request.nodes().getAsInt() : AVERAGE_NODES_OF_FALSE_ALARMS;
        Optional<Duration> length = request.length();
        return length.isPresent() ? length.get().toNanos() / NANOS_PER_HOUR * nodes : FalseAlarms.FULL_NODE_HOURS;
    }

    private static List<SickNode.Ward> wards(SimulationRequest request) {
        return request.nodes().isPresent()
                ? List.of(new SickNode.Ward(request.nodes().getAsInt(), 1))
                : SickNode.FULL_WARDS;
    }

    private static List<Integer> crashSizes(SimulationRequest request) {
        return request.nodes().isPresent() ? List.of(request.nodes().getAsInt()) : CrashDetection.SIZES;
    }

    private static List<MassCrash.Case> massCrashes(SimulationRequest request) {
        return request.nodes().isPresent()
                ? List.of(MassCrash.Case.of(request.nodes().getAsInt()))
                : MassCrash.CASES;
    }

    private static List<Integer> drainSizes(SimulationRequest request) {
        return request.nodes().isPresent() ? List.of(request.nodes().getAsInt()) : Drain.SIZES;
    }

    /** The sizes up to the one asked for, so that there is something to compare it with. */
    private static List<Integer> growthSizes(SimulationRequest request) {
        if (request.nodes().isEmpty()) {
            return Growth.SIZES;
        }
        int most = request.nodes().getAsInt();
        return Stream.concat(Growth.SIZES.stream().filter(size -> size < most), Stream.of(most))
                .toList();
    }

    private static SeedOutcome outcomeOf(ExperimentResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("rows", result.table().records());
        return new SeedOutcome(
                result.effort().simulatedSeconds(),
                result.effort().nodeHours(),
                Map.of(),
                0,
                result.broken().stream()
                        .map(broken -> new SeedOutcome.Violation(broken.promise(), broken.what()))
                        .toList(),
                result.effort().traceHash(),
                Optional.of(
                        new SeedOutcome.Measured(fields, "\n" + result.table().text() + "\n")),
                Optional.empty());
    }
}

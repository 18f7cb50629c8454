package dev.muster.node.command;

import dev.muster.simulator.MassJoin;
import dev.muster.simulator.SeedRange;
import dev.muster.simulator.Shrinker;
import dev.muster.simulator.Simulation;
import dev.muster.simulator.Verdict;
import dev.muster.simulator.check.Checkers;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.RunPlanner;
import dev.muster.simulator.plan.SimulationOptions;
import dev.muster.simulator.plan.Strategies;
import dev.muster.simulator.script.ScenarioRunner;
import dev.muster.simulator.trace.TraceSink;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The simulator behind the command line: turns a request into worlds, and verdicts into outcomes. */
public final class WorldSimulation implements SimulationRunner {
    private static final String MASS_JOIN = "mass-join";
    private static final int MASS_JOIN_NODES = 1000;
    private static final int MOST_SHRINKING_RUNS = 60;

    @Override
    public List<String> faultKinds() {
        return FaultKind.displayNames();
    }

    @Override
    public List<String> downingStrategies() {
        return Strategies.names();
    }

    @Override
    public List<String> scenarios() {
        List<String> names = new ArrayList<>(List.of(MASS_JOIN));
        names.addAll(Experiments.names());
        return names;
    }

    @Override
    public SeedOutcome run(SimulationRequest request, long seed, SimulationWatcher watcher) {
        if (request.scenario().isEmpty()) {
            return outcomeOf(runFree(request, seed, watcher));
        }
        Optional<String> script = request.scenario().get().script();
        if (script.isPresent()) {
            return play(script.get(), watcher);
        }
        String name = request.scenario().get().name();
        return name.equals(MASS_JOIN)
                ? massJoin(request, seed, watcher)
                : Experiments.run(name, request, seed, watcher);
    }

    private static Verdict runFree(SimulationRequest request, long seed, SimulationWatcher watcher) {
        Simulation simulation = simulationOf(request);
        if (watcher.wantsTrace()) {
            return simulation.run(RunPlanner.plan(seed, simulation.options()), sinkOf(watcher), watcher::reached);
        }
        return SeedRange.runOne(simulation, seed);
    }

    private static Simulation simulationOf(SimulationRequest request) {
        List<FaultKind> kinds = new ArrayList<>();
        request.faults().forEach(name -> FaultKind.named(name).ifPresent(kinds::add));
        SimulationOptions options = new SimulationOptions(
                request.nodes(),
                request.length(),
                Optional.of(kinds),
                request.downing(),
                request.excerpt(),
                request.wire(),
                request.workload());
        return new Simulation(options, Checkers::all);
    }

    @Override
    public String shortestStory(SimulationRequest request, long seed) {
        Simulation simulation = simulationOf(request);
        Verdict verdict = simulation.run(seed);
        return verdict.isClean()
                ? ""
                : Shrinker.shrink(simulation, verdict, MOST_SHRINKING_RUNS).describe();
    }

    private static SeedOutcome outcomeOf(Verdict verdict) {
        return new SeedOutcome(
                verdict.simulatedSeconds(),
                verdict.nodeHours(),
                verdict.faultsByKind(),
                verdict.checks(),
                findings(verdict.violations()),
                verdict.traceHash(),
                Optional.empty(),
                Optional.empty(),
                verdict.situations(),
                verdict.judgements());
    }

    private static List<SeedOutcome.Violation> findings(List<dev.muster.simulator.Violation> violations) {
        return violations.stream()
                .map(v -> new SeedOutcome.Violation(v.invariant(), v.toString()))
                .toList();
    }

    private static SeedOutcome massJoin(SimulationRequest request, long seed, SimulationWatcher watcher) {
        int nodes = request.nodes().orElse(MASS_JOIN_NODES);
        TraceSink sink = watcher.wantsTrace() ? sinkOf(watcher) : null;
        MassJoin.Result result = MassJoin.run(seed, nodes, List.of(), sink);
        List<SeedOutcome.Violation> violations = new ArrayList<>(findings(result.violations()));
        if (!result.isComplete()) {
            violations.add(new SeedOutcome.Violation("S7", nodes + " nodes were not all up within five minutes"));
        }
        return new SeedOutcome(
                result.simulatedSeconds(),
                result.simulatedSeconds() * nodes / 3600,
                Map.of(),
                0,
                violations,
                result.traceHash(),
                Optional.of(measured(result)),
                Optional.empty());
    }

    private static SeedOutcome.Measured measured(MassJoin.Result join) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("allUpAfterSeconds", rounded(join.allUpAfterSeconds()));
        fields.put("gossipRounds", rounded(join.gossipRounds()));
        fields.put("bytesPerNode", rounded(join.bytesPerNode()));
        String text = String.format(
                Locale.ROOT,
                "all up      %.1f simulated s after the last start%n"
                        + "gossip      %.1f rounds, %,.0f bytes per node%n",
                join.allUpAfterSeconds(),
                join.gossipRounds(),
                join.bytesPerNode());
        return new SeedOutcome.Measured(fields, text);
    }

    private static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }

    private static SeedOutcome play(String script, SimulationWatcher watcher) {
        TraceSink sink = watcher.wantsTrace() ? sinkOf(watcher) : null;
        ScenarioRunner.Result result = ScenarioRunner.play(script, List.of(), sink);
        List<SeedOutcome.Violation> violations = result.asExpected()
                ? List.of()
                : List.of(new SeedOutcome.Violation("scenario", "went otherwise than the file says"));
        return new SeedOutcome(0, 0, Map.of(), 0, violations, "", Optional.empty(), Optional.of(result.text()));
    }

    private static TraceSink sinkOf(SimulationWatcher watcher) {
        return (nanos, who, what, isNotable) ->
                watcher.trace(String.format(Locale.ROOT, "%12.6f %-8s %s", nanos / 1e9, who, what));
    }
}

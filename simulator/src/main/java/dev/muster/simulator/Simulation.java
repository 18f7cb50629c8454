package dev.muster.simulator;

import dev.muster.core.ClusterRules;
import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.Checkers;
import dev.muster.simulator.fault.FaultKind;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.RunPlanner;
import dev.muster.simulator.plan.SimulationOptions;
import dev.muster.simulator.plan.Workload;
import dev.muster.simulator.trace.Trace;
import dev.muster.simulator.trace.TraceSink;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Runs worlds: a seed and options in, a verdict out. Runs share nothing, so any number of threads may call it at once.
 *
 * @param checkers makes fresh checkers for each run
 * @param rules the rules that all cores follow; the standard ones, unless a test wants to see a known bug found
 */
public record Simulation(SimulationOptions options, Supplier<List<Checker>> checkers, ClusterRules rules) {
    private static final long STRIDE_NANOS = 10_000_000_000L;

    public Simulation(SimulationOptions options, Supplier<List<Checker>> checkers) {
        this(options, checkers, ClusterRules.STANDARD);
    }

    public Verdict run(long seed) {
        return run(RunPlanner.plan(seed, options));
    }

    public Verdict run(RunPlan plan) {
        return run(plan, null, nanos -> {});
    }

    /**
     * Runs a plan.
     *
     * @param sink reads along; null for nobody
     * @param progress is told the simulated time now and then
     */
    public Verdict run(RunPlan plan, TraceSink sink, LongConsumer progress) {
        Trace trace = new Trace(sink);
        List<Checker> all = new ArrayList<>(checkers.get());
        all.addAll(Checkers.ofPartitions(options.workload().partitions(plan)));
        if (options.workload() == Workload.HANDOFF) {
            all.addAll(Checkers.ofLetters(options.workload().partitions(plan)));
        }
        World world = new World(plan, all, rules, trace, options.wire(), options.workload());
        for (long reached = 0; reached < plan.lengthNanos() && !world.isStopped(); ) {
            reached = Math.min(plan.lengthNanos(), reached + STRIDE_NANOS);
            world.runUntil(reached);
            progress.accept(reached);
        }
        world.end();
        return verdict(plan, world);
    }

    private Verdict verdict(RunPlan plan, World world) {
        TreeMap<String, Long> faults = new TreeMap<>();
        long[] counts = world.injector().countByKind();
        for (FaultKind kind : FaultKind.values()) {
            if (counts[kind.ordinal()] > 0) {
                faults.put(kind.displayName(), counts[kind.ordinal()]);
            }
        }
        return new Verdict(
                options,
                plan,
                world.nowNanos() / 1e9,
                world.nodeHours(),
                faults,
                world.checks(),
                world.violations(),
                world.trace().hash(),
                world.situations(),
                world.network().sent(),
                world.events(),
                world.judgements());
    }
}

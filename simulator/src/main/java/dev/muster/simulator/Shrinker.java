package dev.muster.simulator;

import dev.muster.simulator.fault.FaultSchedule;
import dev.muster.simulator.plan.Excerpt;
import dev.muster.simulator.plan.RunPlan;
import dev.muster.simulator.plan.RunPlanner;
import dev.muster.simulator.trace.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a failing run short enough to think about: leaves out faults, then nodes, then time, as long as the same
 * invariant is still broken.
 *
 * <p>Delta debugging: try without each half of the faults, then each quarter, and so on down to single ones. The effort
 * is bounded by a number of runs, not by a clock, so that the same failure always shrinks to the same schedule.
 */
public final class Shrinker {
    private static final int MOST_TIMELINE_LINES = 400;

    private final Simulation simulation;
    private int runsLeft;
    private RunPlan plan;
    private Verdict verdict;
    private String invariant;

    private Shrinker(Simulation simulation, int mostRuns) {
        this.simulation = simulation;
        this.runsLeft = mostRuns;
    }

    /**
     * The short form of a failure.
     *
     * @param verdict of the shortened plan
     * @param timeline what happened in it, notable things only
     */
    public record Shrunk(Verdict verdict, List<String> timeline, int runs) {
        /** The schedule and what came of it, for people. */
        public String describe() {
            StringBuilder text = new StringBuilder();
            text.append(verdict.violations().get(0)).append('\n');
            text.append("shrunk to: ").append(verdict.plan().summary()).append('\n');
            verdict.plan()
                    .schedule()
                    .events()
                    .forEach(event -> text.append("  ").append(event).append('\n'));
            text.append("timeline:\n");
            timeline.forEach(line -> text.append(line).append('\n'));
            return text.append("replay of this: ")
                    .append(replay())
                    .append("\nreplay of the whole: ")
                    .append(new Replay(verdict.seed(), verdict.options().withExcerpt(Excerpt.WHOLE)))
                    .append('\n')
                    .toString();
        }

        /** What to type to see the short form again. */
        public String replay() {
            return new Replay(verdict.seed(), RunPlanner.optionsFor(verdict.plan(), verdict.options())).toString();
        }
    }

    public static Shrunk shrink(Simulation simulation, Verdict failed, int mostRuns) {
        return new Shrinker(simulation, mostRuns).shrink(failed, mostRuns);
    }

    private Shrunk shrink(Verdict failed, int mostRuns) {
        plan = failed.plan();
        verdict = failed;
        invariant = failed.violations().get(0).invariant();
        if (!plan.liveness()) {
            tryPlan(plan.withLengthNanos(endNanos()));
        }
        leaveOutFaults();
        leaveOutNodes();
        leaveOutTime();
        Timeline timeline = new Timeline(MOST_TIMELINE_LINES);
        simulation.run(plan, timeline, nanos -> {});
        return new Shrunk(verdict, timeline.lines(), mostRuns - runsLeft);
    }

    private void leaveOutFaults() {
        int chunk = Math.max(1, plan.schedule().events().size() / 2);
        while (true) {
            boolean shorter = leaveOutChunks(chunk);
            if (chunk == 1 && !shorter || runsLeft == 0) {
                return;
            }
            chunk = shorter
                    ? Math.min(chunk, Math.max(1, plan.schedule().events().size() / 2))
                    : chunk / 2;
        }
    }

    private boolean leaveOutChunks(int chunk) {
        boolean shorter = false;
        for (int from = 0; from < plan.schedule().events().size() && runsLeft > 0; ) {
            FaultSchedule schedule = plan.schedule();
            int to = Math.min(from + chunk, schedule.events().size());
            if (tryPlan(plan.withSchedule(schedule.without(from, to)))) {
                shorter = true;
            } else {
                from = to;
            }
        }
        return shorter;
    }

    private void leaveOutNodes() {
        for (int slot = plan.slots().size() - 1; slot >= 0 && plan.usedSlots() > 1; slot--) {
            if (plan.slots().get(slot).isUsed()) {
                List<RunPlan.Slot> fewer = new ArrayList<>(plan.slots());
                fewer.set(slot, fewer.get(slot).unused());
                tryPlan(plan.withSlots(fewer));
            }
        }
    }

    private void leaveOutTime() {
        if (!plan.liveness()) {
            tryPlan(plan.withLengthNanos(endNanos()));
        }
    }

    private long endNanos() {
        return Excerpt.wholeMillisFrom(verdict.violations().get(0).atNanos() + 1);
    }

    /** Runs the candidate, and goes on from it if it breaks the same invariant. */
    private boolean tryPlan(RunPlan candidate) {
        if (runsLeft == 0) {
            return false;
        }
        runsLeft--;
        Verdict outcome = simulation.run(candidate);
        if (outcome.isClean() || !outcome.violations().get(0).invariant().equals(invariant)) {
            return false;
        }
        plan = candidate;
        verdict = outcome;
        return true;
    }
}

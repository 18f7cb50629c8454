package dev.muster.simulator.check;

import dev.muster.core.state.NodeId;

/**
 * F2: nobody is accused who is well.
 *
 * <p>In a run that keeps within the contract of the failure detector (little loss, moderate delays, short pauses) there
 * is not a single accusation: that is the strict form, for runs made for it. In all other runs a running node may not
 * be accused when there has been no fault for twice the time of detection; what was accused before is left to R5.
 */
final class Accuracy implements Checker {
    private final StepReader reader;
    private final boolean strict;

    Accuracy(StepReader reader, boolean strict) {
        this.reader = reader;
        this.strict = strict;
    }

    @Override
    public void onStep(Step step) {
        if (step.before().reachability() == step.after().reachability()) {
            return;
        }
        for (NodeId subject : reader.read(step).newAccusations()) {
            step.world().countChecks(1);
            if (isWell(step, subject)) {
                step.world()
                        .report(
                                "F2",
                                "holds " + subject + " unreachable, which runs and could answer; the last "
                                        + "fault was "
                                        + (step.world().nowNanos()
                                                        - step.world().lastFaultNanos())
                                                / 1_000_000
                                        + " ms ago",
                                step.node());
            }
        }
    }

    private boolean isWell(Step step, NodeId subject) {
        WorldView world = step.world();
        boolean runs = world.node(subject)
                .filter(node -> node.isRunning() && !node.isPaused())
                .isPresent();
        long longQuiet = 2 * Bounds.detectionNanos(world.facts().settings());
        return strict || runs && world.quietForNanos() >= longQuiet;
    }
}

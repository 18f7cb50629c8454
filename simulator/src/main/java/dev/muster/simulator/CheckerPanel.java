package dev.muster.simulator;

import dev.muster.simulator.check.Checker;
import dev.muster.simulator.check.NodeView;
import dev.muster.simulator.check.ProcessChange;
import dev.muster.simulator.check.Step;
import dev.muster.simulator.check.WorkStep;
import dev.muster.simulator.check.WorldView;
import java.util.ArrayList;
import java.util.List;

/** The checkers of one run. One that throws is a finding by itself, and is asked no more. */
final class CheckerPanel {
    private final World world;
    private final List<Checker> checkers;

    CheckerPanel(World world, List<Checker> checkers) {
        this.world = world;
        this.checkers = new ArrayList<>(checkers);
    }

    boolean isEmpty() {
        return checkers.isEmpty();
    }

    void onStep(Step step) {
        for (int i = 0; i < checkers.size(); i++) {
            try {
                checkers.get(i).onStep(step);
            } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
                i = dismiss(i, thrown, step.node());
            }
        }
    }

    void onProcess(ProcessChange change) {
        for (int i = 0; i < checkers.size(); i++) {
            try {
                checkers.get(i).onProcess(change);
            } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
                i = dismiss(i, thrown, change.node());
            }
        }
    }

    void onWork(WorkStep step) {
        for (int i = 0; i < checkers.size(); i++) {
            try {
                checkers.get(i).onWork(step);
            } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
                i = dismiss(i, thrown, step.node());
            }
        }
    }

    void atEnd(WorldView view) {
        for (int i = 0; i < checkers.size(); i++) {
            try {
                checkers.get(i).atEnd(view);
            } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
                i = dismiss(i, thrown, null);
            }
        }
    }

    private int dismiss(int index, Throwable thrown, NodeView node) {
        Checker checker = checkers.remove(index);
        world.report(Violation.CRASH, checker.getClass().getSimpleName() + " threw " + Stack.top(thrown), node);
        return index - 1;
    }
}

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
    /** Those of them that want to know about letters and instances. */
    private final List<Checker> ofWork;

    CheckerPanel(World world, List<Checker> checkers) {
        this.world = world;
        this.checkers = new ArrayList<>(checkers);
        this.ofWork = new ArrayList<>(
                checkers.stream().filter(CheckerPanel::wantsWork).toList());
    }

    private static boolean wantsWork(Checker checker) {
        try {
            return checker.getClass().getMethod("onWork", WorkStep.class).getDeclaringClass() != Checker.class;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
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
        for (int i = 0; i < ofWork.size(); i++) {
            Checker checker = ofWork.get(i);
            try {
                checker.onWork(step);
            } catch (RuntimeException | AssertionError | StackOverflowError thrown) {
                dismiss(checkers.indexOf(checker), thrown, step.node());
                i--;
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
        ofWork.remove(checker);
        world.report(Violation.CRASH, checker.getClass().getSimpleName() + " threw " + Stack.top(thrown), node);
        return index - 1;
    }
}

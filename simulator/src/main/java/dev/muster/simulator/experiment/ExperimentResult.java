package dev.muster.simulator.experiment;

import java.util.List;

/** What came of an experiment, in the one form in which all of them are shown. */
public interface ExperimentResult {
    /** The figures, for people and for scripts. */
    Table table();

    /** What should not have happened; empty if the promise was kept. */
    List<BrokenPromise> broken();

    /** How much was simulated for it. */
    Effort effort();
}

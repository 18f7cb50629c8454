package dev.muster.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Something to measure on any side. */
public interface Benchmark {

    /** Its name on the command line. */
    String id();

    /** Whether that side can be measured. Where it cannot, its place in the report stays empty. */
    default boolean isFor(Side side) {
        return true;
    }

    /** What it finds out: most find one figure, some find two on the way. */
    List<Row> rows();

    /** Of its rows those that show a fault of Muster's unless they are zero. */
    default List<Row> mustBeZero() {
        return List.of();
    }

    /**
     * Warms up and measures, in this process.
     *
     * @param quick small sizes that show that it works, and no more than that
     * @return one figure for each row, by the id of the row
     */
    Map<String, Double> measure(Side side, boolean quick) throws Exception;

    /**
     * The same for those that go on for as long as they are told to.
     *
     * @param duration what the others ignore
     */
    default Map<String, Double> measure(Side side, boolean quick, Duration duration) throws Exception {
        return measure(side, quick);
    }
}

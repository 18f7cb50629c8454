package dev.muster.bench;

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

    /**
     * Warms up and measures, in this process.
     *
     * @param quick small sizes that show that it works, and no more than that
     * @return one figure for each row, by the id of the row
     */
    Map<String, Double> measure(Side side, boolean quick) throws Exception;
}

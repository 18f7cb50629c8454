package dev.muster.simulator.experiment;

import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.trace.Trace;
import java.util.List;

/**
 * How much was simulated.
 *
 * @param traceHash of all worlds together, in their order: equal for equal runs on every machine and JDK
 */
public record Effort(double simulatedSeconds, double nodeHours, String traceHash) {
    private static final int HEXADECIMAL = 16;

    /** @param nodes how many ran from beginning to end */
    static Effort of(SimulatedCluster cluster, int nodes) {
        double seconds = cluster.nowNanos() / 1e9;
        return new Effort(seconds, seconds * nodes / 3600, cluster.traceHash());
    }

    static Effort sum(List<Effort> parts) {
        Trace together = new Trace();
        double seconds = 0;
        double hours = 0;
        for (Effort part : parts) {
            seconds += part.simulatedSeconds;
            hours += part.nodeHours;
            together.mix(Long.parseUnsignedLong(part.traceHash, HEXADECIMAL));
        }
        return new Effort(seconds, hours, together.hash());
    }
}

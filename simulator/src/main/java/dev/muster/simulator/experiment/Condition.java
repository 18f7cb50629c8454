package dev.muster.simulator.experiment;

import dev.muster.simulator.SimulatedCluster;
import dev.muster.simulator.fault.FaultAction;
import java.time.Duration;

/** A roughness of the world that the failure detector promises to bear, see invariant F2. */
public enum Condition {
    LOSS("loss 1 %", 0.01, false, Duration.ZERO, 0),
    DELAY("delay 500 ± 400 ms", 0, true, Duration.ZERO, 0),
    PAUSES("pauses up to 3 s", 0, false, Duration.ofSeconds(3), 0),
    COMBINED("loss 1 %, delay 500 ± 400 ms, pauses up to 1.5 s", 0.01, true, Duration.ofMillis(1500), 0),
    HEAVY_LOSS("loss 5 %", 0.05, false, Duration.ZERO, 1.0 / 50);

    private static final Duration LEAST_DELAY = Duration.ofMillis(100);
    private static final Duration MOST_DELAY = Duration.ofMillis(900);

    private final String title;
    private final double loss;
    private final boolean isSlow;
    private final Duration longestPause;
    private final double allowedPerNodeHour;

    Condition(String title, double loss, boolean isSlow, Duration longestPause, double allowedPerNodeHour) {
        this.title = title;
        this.loss = loss;
        this.isSlow = isSlow;
        this.longestPause = longestPause;
        this.allowedPerNodeHour = allowedPerNodeHour;
    }

    public String title() {
        return title;
    }

    /** How many accusations are within the promise. */
    double allowedPerNodeHour() {
        return allowedPerNodeHour;
    }

    /** The longest that a process stands still; zero for never. */
    Duration longestPause() {
        return longestPause;
    }

    /** Makes the network as rough as this. */
    void applyTo(SimulatedCluster cluster) {
        if (loss > 0) {
            cluster.lose(FaultAction.EVERYBODY, FaultAction.Direction.BOTH, loss);
        }
        if (isSlow) {
            cluster.slow(FaultAction.EVERYBODY, LEAST_DELAY, MOST_DELAY);
        }
    }
}

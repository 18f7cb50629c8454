package dev.muster.cluster.engine;

import dev.muster.environment.Clock;
import dev.muster.environment.Environment;
import dev.muster.environment.ProcessLoad;
import dev.muster.environment.ProcessLoad.Usage;

/**
 * How busy this process was since somebody last asked. Used by one thread at a time.
 *
 * <p>An average over the whole time says more than a look at one moment, which may just hit a pause or a peak. Nodes
 * that share a process all say the same; each with a meter of its own, because asking begins a new span of time.
 */
final class LoadMeter {
    private final Clock clock;
    private final ProcessLoad load;
    private Usage lastUsage;
    private long lastNanos;
    private Reading lastReading = new Reading(0, 0);

    /**
     * @param cpuLoad how busy the processors were with this process, from 0 to 1
     * @param gcShare how much of the time it stood still to collect garbage, from 0 to 1
     */
    record Reading(double cpuLoad, double gcShare) {}

    LoadMeter(Environment environment) {
        this.clock = environment.clock();
        this.load = environment.load();
        this.lastUsage = usage(ProcessLoad.IDLE.usage());
        this.lastNanos = clock.nanoTime();
    }

    /** The average since the last reading, or since this meter was made; the last one again if no time has passed. */
    Reading read() {
        long nowNanos = clock.nanoTime();
        long passed = nowNanos - lastNanos;
        if (passed > 0) {
            Usage usage = usage(lastUsage);
            lastReading = new Reading(
                    share(usage.cpuNanos() - lastUsage.cpuNanos(), passed * usage.processors()),
                    share(usage.gcNanos() - lastUsage.gcNanos(), passed));
            lastUsage = usage;
            lastNanos = nowNanos;
        }
        return lastReading;
    }

    /** A machine that cannot say how busy it is has still to be a member. */
    private Usage usage(Usage otherwise) {
        try {
            return load.usage();
        } catch (RuntimeException cannotSay) {
            return otherwise;
        }
    }

    /** Clocks of different make disagree a little, and processors may be taken away in between. */
    private static double share(long part, long whole) {
        return whole > 0 ? Math.max(0, Math.min(1, (double) part / whole)) : 0;
    }
}

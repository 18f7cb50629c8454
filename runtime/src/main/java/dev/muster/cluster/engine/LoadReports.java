package dev.muster.cluster.engine;

import dev.muster.core.exchange.Input;
import dev.muster.environment.Environment;

/** Tells the core how busy this process is, again and again from the moment at which it has heard of a partition. */
final class LoadReports {
    private final Environment environment;
    private final long intervalNanos;
    private final PartitionPosts posts;
    private final CoreDriver driver;
    private final LoadMeter meter;
    /** Used in the core's turns only. */
    private boolean hasBegun;

    LoadReports(Environment environment, long intervalNanos, PartitionPosts posts, CoreDriver driver) {
        this.environment = environment;
        this.intervalNanos = intervalNanos;
        this.posts = posts;
        this.driver = driver;
        this.meter = new LoadMeter(environment);
    }

    /** In the core's turn. */
    void begin() {
        if (!hasBegun) {
            hasBegun = true;
            plan();
        }
    }

    private void plan() {
        environment.timers().schedule(intervalNanos, () -> driver.submit(this::tell));
    }

    private void tell() {
        if (driver.isStopped()) {
            return;
        }
        LoadMeter.Reading reading = meter.read();
        driver.offer(new Input.LoadMeasured(reading.cpuLoad(), reading.gcShare(), posts.mailboxes()));
        plan();
    }
}

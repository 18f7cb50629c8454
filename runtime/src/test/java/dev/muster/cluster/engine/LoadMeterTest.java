package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.muster.cluster.engine.LoadMeter.Reading;
import dev.muster.environment.Environment;
import dev.muster.environment.ProcessLoad;
import dev.muster.virtual.VirtualEnvironment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadMeterTest {
    private final VirtualEnvironment world = new VirtualEnvironment(1);

    @Test
    void readsTheAverageSinceTheLastReading() {
        world.spend(Duration.ofHours(1), Duration.ofMinutes(1)); // before anybody looked
        LoadMeter meter = new LoadMeter(world.environment());

        pass(10, 4, 1);
        pass(10, 2, 0);
        assertReads(meter, 0.3, 0.05);

        pass(5, 5, 5);
        assertReads(meter, 1, 1);
        pass(5, 0, 0);
        assertReads(meter, 0, 0);
    }

    @Test
    void sharesAreSharesWhateverTheMachineSays() {
        LoadMeter meter = new LoadMeter(world.environment());

        pass(1, 30, 2);
        assertReads(meter, 1, 1);
        pass(1, -3, -2);
        assertReads(meter, 0, 0);
    }

    @Test
    void processorsAreBusyTogether() {
        Environment one = world.environment();
        ProcessLoad ofFour = () -> {
            ProcessLoad.Usage usage = one.load().usage();
            return new ProcessLoad.Usage(usage.cpuNanos(), usage.gcNanos(), 4);
        };
        LoadMeter meter = new LoadMeter(
                new Environment(one.clock(), one.timers(), one.dispatchers(), one.random(), one.fatal(), ofFour));

        pass(10, 20, 1);

        assertReads(meter, 0.5, 0.1);
    }

    @Test
    void whereNoTimeHasPassedItSaysTheSameAgain() {
        LoadMeter meter = new LoadMeter(world.environment());
        assertReads(meter, 0, 0);
        pass(10, 5, 1);
        assertReads(meter, 0.5, 0.1);

        world.spend(Duration.ofSeconds(1), Duration.ZERO);

        assertReads(meter, 0.5, 0.1);
        pass(2, 0, 0);
        assertReads(meter, 0.5, 0);
    }

    @Test
    void whoSaysNothingOfLoadIsIdle() {
        Environment one = world.environment();
        LoadMeter meter =
                new LoadMeter(new Environment(one.clock(), one.timers(), one.dispatchers(), one.random(), one.fatal()));
        pass(10, 5, 5);

        assertReads(meter, 0, 0);
    }

    @Test
    void aMachineThatCannotSaySeemsIdle() {
        Environment one = world.environment();
        boolean[] fails = {true};
        ProcessLoad broken = () -> {
            if (fails[0]) {
                throw new IllegalStateException("no such counter");
            }
            return one.load().usage();
        };
        LoadMeter meter = new LoadMeter(
                new Environment(one.clock(), one.timers(), one.dispatchers(), one.random(), one.fatal(), broken));
        pass(10, 5, 1);
        assertReads(meter, 0, 0);
        fails[0] = false;
        pass(10, 0, 0);
        meter.read();
        pass(10, 5, 1);
        assertReads(meter, 0.5, 0.1);
        fails[0] = true;
        pass(10, 5, 1);
        assertReads(meter, 0, 0);
    }

    private void pass(int seconds, int busy, int collecting) {
        world.spend(Duration.ofSeconds(busy), Duration.ofSeconds(collecting));
        world.advance(Duration.ofSeconds(seconds));
    }

    private static void assertReads(LoadMeter meter, double cpuLoad, double gcShare) {
        Reading reading = meter.read();
        assertThat(reading.cpuLoad()).isCloseTo(cpuLoad, within(1e-9));
        assertThat(reading.gcShare()).isCloseTo(gcShare, within(1e-9));
    }
}

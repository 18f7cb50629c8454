package dev.muster.real;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.environment.ProcessLoad.Usage;
import org.junit.jupiter.api.Test;

class SystemProcessLoadTest {

    @Test
    void whatWasUsedOnlyGrows() {
        SystemProcessLoad load = new SystemProcessLoad();
        Usage before = load.usage();
        assertThat(before.processors()).isPositive();
        assertThat(before.cpuNanos()).isPositive();

        // The machine counts processor time in steps, of 10 ms at the longest.
        while (load.usage().cpuNanos() == before.cpuNanos()) {
            Thread.onSpinWait();
        }
        Usage after = load.usage();
        assertThat(after.cpuNanos()).isGreaterThan(before.cpuNanos());
        assertThat(after.gcNanos()).isGreaterThanOrEqualTo(before.gcNanos());
    }
}

package dev.muster.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionLimitsTest {
    private static final long CONFIGURED = 300_000_000_000L;

    @Test
    void idleConnectionsAreKeptAsLongAsAllPeersCanBeConnected() {
        assertThat(ConnectionLimits.idleNanos(50, 7_800, CONFIGURED)).isEqualTo(CONFIGURED);
        assertThat(ConnectionLimits.idleNanos(3_900, 7_800, CONFIGURED)).isEqualTo(CONFIGURED);
    }

    @Test
    void whereTheyCannotOnlyBusyOnesAreKept() {
        assertThat(ConnectionLimits.idleNanos(3_901, 7_800, CONFIGURED)).isEqualTo(3_000_000_000L);
        assertThat(ConnectionLimits.idleNanos(3_901, 7_800, 1_000)).isEqualTo(1_000);
    }
}

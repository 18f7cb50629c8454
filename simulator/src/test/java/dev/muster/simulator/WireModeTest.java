package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.check.Checkers;
import dev.muster.simulator.plan.SimulationOptions;
import dev.muster.simulator.plan.WireMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Worlds in which every message is written and read by the codecs of the real wire. */
class WireModeTest {
    private static final SimulationOptions RECORDS = SimulationOptions.DRAWN.withNodes(5);
    private static final SimulationOptions BYTES = RECORDS.withWire(WireMode.BYTES);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void nothingGetsLostOnTheWayThroughTheCodecs(long seed) {
        Verdict records = new Simulation(RECORDS, Checkers::all).run(seed);
        Verdict bytes = new Simulation(BYTES, Checkers::all).run(seed);

        assertThat(bytes.violations()).isEqualTo(records.violations());
        assertThat(bytes.situations()).isEqualTo(records.situations());
        // The core spares itself work on a state object that it has met before, so a wake-up more or less may differ.
        assertThat(bytes.messages()).isEqualTo(records.messages());
        assertThat(bytes.events()).isBetween(records.events() - 20, records.events() + 20);
    }

    @Test
    void theModeIsPartOfTheReplay() {
        assertThat(BYTES.commandLine()).isEqualTo(" --nodes 5 --wire bytes");
        assertThat(RECORDS.commandLine()).isEqualTo(" --nodes 5");
        assertThat(WireMode.named("bytes")).contains(WireMode.BYTES);
        assertThat(WireMode.named("pigeon")).isEmpty();
    }
}

package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.check.Checkers;
import dev.muster.simulator.plan.SimulationOptions;
import dev.muster.simulator.plan.WireMode;
import dev.muster.simulator.plan.Workload;
import java.time.Duration;
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

    /** So do the words of gates, with the letters and states that they carry. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void nothingThatGatesSayGetsLostOnTheWay(long seed) {
        SimulationOptions handoff = SimulationOptions.DRAWN
                .withNodes(4)
                .withWorkload(Workload.HANDOFF)
                .withLength(Duration.ofMinutes(2));
        Verdict bytes = new Simulation(handoff.withWire(WireMode.BYTES), Checkers::all).run(seed);

        assertThat(bytes.violations()).as(bytes.replay()).isEmpty();
        // All that a move says was said: a state was handed over, and all nodes have told that they knew.
        assertThat(bytes.judgements().get("H7").judged()).isPositive();
        assertThat(bytes.judgements().get("H6").judged()).isPositive();
    }

    @Test
    void theModeIsPartOfTheReplay() {
        assertThat(BYTES.commandLine()).isEqualTo(" --nodes 5 --wire bytes");
        assertThat(RECORDS.commandLine()).isEqualTo(" --nodes 5");
        assertThat(WireMode.named("bytes")).contains(WireMode.BYTES);
        assertThat(WireMode.named("pigeon")).isEmpty();
    }
}

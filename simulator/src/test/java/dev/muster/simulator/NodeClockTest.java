package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.chance.Dice;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeClockTest {
    @ParameterizedTest
    @ValueSource(longs = {-50_000, -1, 0, 1, 33_333, 50_000})
    void theMomentOfALocalTimeIsTheFirstAtWhichTheClockShowsIt(long drift) {
        NodeClock clock = new NodeClock(1_000, 77, drift);
        Dice dice = Dice.of(drift);
        for (int i = 0; i < 2_000; i++) {
            long local = 77 + dice.between(0, 1L << 46);

            long world = clock.worldNanos(local);

            assertThat(clock.localNanos(world)).isGreaterThanOrEqualTo(local);
            assertThat(clock.localNanos(world - 1)).isLessThan(local);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-50_000, 50_000})
    void aChangeOfDriftDoesNotMakeTheClockJump(long drift) {
        NodeClock clock = new NodeClock(0, 0, 0);
        long before = clock.localNanos(5_000_000_000L);

        clock.changeDrift(5_000_000_000L, drift);

        assertThat(clock.localNanos(5_000_000_000L)).isEqualTo(before);
        assertThat(clock.localNanos(6_000_000_000L) - before).isEqualTo(1_000_000_000L + 1_000 * drift);
    }
}

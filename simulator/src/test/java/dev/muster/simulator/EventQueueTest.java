package dev.muster.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.simulator.chance.Dice;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    @Test
    void givesEventsInTheOrderOfTheirTimeAndThenOfTheirMaking() {
        EventQueue queue = new EventQueue();
        Dice dice = Dice.of(1);
        for (int i = 0; i < 10_000; i++) {
            queue.add(Happening.of(() -> {}), dice.below(500));
        }

        Event last = queue.poll();
        while (!queue.isEmpty()) {
            Event next = queue.poll();
            assertThat(last.isBefore(next)).isTrue();
            last = next;
        }
    }

    @Test
    void anEmptyQueueEndsTime() {
        assertThat(new EventQueue().nextNanos()).isEqualTo(Long.MAX_VALUE);
    }
}

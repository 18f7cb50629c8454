package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.examples.SeatNumbers.Given;
import dev.muster.examples.SeatNumbers.Take;
import dev.muster.testkit.ActorTestKit;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One instance alone; how it moves is seen where the tutorial's output is checked. */
class SeatNumbersTest {

    private static long firstNumber(Optional<Object> left) {
        try (ActorTestKit kit = ActorTestKit.create()) {
            ActorRef<Take> numbers = kit.spawn(SeatNumbers.numbers().behavior().apply(left, 1L));
            return kit.ask(numbers, new Take(), Long.class);
        }
    }

    @Test
    void theFirstInstanceBeginsAtOne() {
        assertThat(firstNumber(Optional.empty())).isEqualTo(1);
    }

    @Test
    void theNextInstanceGoesOnWhereTheOneBeforeItEnded() {
        assertThat(firstNumber(Optional.of(new Given(41)))).isEqualTo(42);
    }

    @Test
    void thereIsOnlyOne() {
        assertThat(SeatNumbers.numbers().isSingleton()).isTrue();
    }
}

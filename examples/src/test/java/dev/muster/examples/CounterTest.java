package dev.muster.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.ActorRef;
import dev.muster.examples.Counter.Add;
import dev.muster.examples.Counter.Command;
import dev.muster.examples.Counter.Get;
import dev.muster.testkit.Interleavings;
import org.junit.jupiter.api.Test;

class CounterTest {

    @Test
    void noAdditionIsLostInAnyOrder() {
        Interleavings.explore(100, kit -> {
            ActorRef<Command> counter = kit.spawn(Counter.counter(0));
            counter.tell(new Add(3));
            counter.tell(new Add(4));
            assertThat(kit.ask(counter, new Get(), Integer.class)).isEqualTo(7);
        });
    }
}

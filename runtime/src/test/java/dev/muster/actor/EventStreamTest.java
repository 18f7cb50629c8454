package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever subscribed to a type hears of its events, subtypes included, as long as it lives. */
class EventStreamTest {

    private final World world = World.ofSeed(1);

    @Test
    void subscribersHearTheirTypeAndItsSubtypes() {
        Probe<Number> numbers = world.events(Number.class);
        Probe<Integer> integers = world.events(Integer.class);
        world.system.events().publish(1);
        world.system.events().publish(2.5);
        world.system.events().publish("text");
        world.run();
        assertThat(numbers.heard()).containsExactly(1, 2.5);
        assertThat(integers.heard()).containsExactly(1);
    }

    @Test
    void subscribingTwiceChangesNothing() {
        Probe<String> probe = world.events(String.class);
        world.system.events().subscribe(probe.ref(), String.class);
        world.system.events().publish("once");
        world.run();
        assertThat(probe.heard()).containsExactly("once");
    }

    @Test
    void nothingComesAfterUnsubscribing() {
        Probe<String> probe = world.events(String.class);
        world.system.events().unsubscribe(probe.ref());
        world.system.events().publish("unheard");
        world.run();
        assertThat(probe.heard()).isEmpty();
    }

    @Test
    void aSubscriberThatStoppedIsForgottenAndNoDeadLetterIsMade() {
        Probe<String> probe = world.events(String.class);
        world.system.stop(probe.ref());
        world.run();
        world.system.events().publish("unheard");
        world.run();
        assertThat(world.system.metrics().deadLetters().values()).containsOnly(0L);
    }

    @Test
    void anAdapterCanSubscribe() {
        List<String> heard = new ArrayList<>();
        world.spawn(Behaviors.<String>setup(ctx -> {
            ctx.system().events().subscribe(ctx.adapt(Integer.class, i -> "event " + i), Integer.class);
            return Behaviors.receive(String.class, (c, message) -> {
                heard.add(message);
                return Behaviors.same();
            });
        }));
        world.run();
        world.system.events().publish(5);
        world.run();
        assertThat(heard).containsExactly("event 5");
    }

    @Test
    void onlyActorsCanSubscribe() {
        assertThatThrownBy(() -> world.system.events().subscribe(world.system.deadLetters(), String.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only an actor");
    }
}

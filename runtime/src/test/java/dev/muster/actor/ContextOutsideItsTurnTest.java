package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What belongs to an actor's turn is refused to everybody else, for example to the callback of a future. */
class ContextOutsideItsTurnTest {

    private final World world = World.ofSeed(1);
    private final List<ActorContext<String>> kept = new ArrayList<>();

    @Test
    void repliesLoggersAndChildrenBelongToTheTurn() {
        world.spawn(Behaviors.<String>setup(ctx -> {
            kept.add(ctx);
            ctx.log().debug("fine here");
            return Behaviors.ignore();
        }));
        world.run();
        List<Consumer<ActorContext<String>>> uses = List.of(
                ctx -> ctx.reply("x"),
                ActorContext::replyTo,
                ActorContext::expectsReply,
                ActorContext::log,
                ctx -> ctx.spawn(Behaviors.ignore()),
                ctx -> ctx.watch(ctx.system().deadLetters()),
                ActorContext::cancelReceiveTimeout);
        for (Consumer<ActorContext<String>> use : uses) {
            assertThatThrownBy(() -> use.accept(kept.get(0)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("/user/")
                    .hasMessageContaining("pipeToSelf");
        }
        assertThat(kept.get(0).self().path().elements()).startsWith("user");
        assertThat(kept.get(0).system()).isSameAs(world.system);
    }
}

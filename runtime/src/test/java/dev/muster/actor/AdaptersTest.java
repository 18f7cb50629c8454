package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What speaks another language, an actor or a future, is turned into the actor's own messages in its own turn. */
class AdaptersTest {

    private final List<String> heard = new ArrayList<>();
    private final List<ActorRef<Integer>> adapters = new ArrayList<>();

    private Behavior<String> adapting() {
        return Behaviors.setup(ctx -> {
            adapters.add(ctx.adapt(Integer.class, i -> {
                if (i < 0) {
                    throw new IllegalArgumentException("negative");
                }
                return "number " + i;
            }));
            return hearing();
        });
    }

    private Behavior<String> hearing() {
        return Behaviors.receive(String.class, (ctx, message) -> {
            heard.add(message);
            if (ctx.expectsReply()) {
                ctx.reply("got " + message);
            }
            return Behaviors.same();
        });
    }

    @Test
    void messagesArriveTranslatedAndInOrderWithTheOthersOfTheirSender() {
        World.forSeeds(20, world -> {
            heard.clear();
            adapters.clear();
            ActorRef<String> actor = world.spawn(adapting());
            world.run();
            actor.tell("a");
            adapters.get(0).tell(1);
            actor.tell("b");
            world.run();
            assertThat(heard).containsExactly("a", "number 1", "b");
        });
    }

    @Test
    void anAdapterCanBeAskedAndHasThePathOfItsActor() {
        World world = World.ofSeed(1);
        ActorRef<String> actor = world.spawn(adapting(), "adapting");
        world.run();
        CompletableFuture<String> answer = adapters.get(0).ask(1, String.class);
        world.run();
        assertThat(answer).isCompletedWithValue("got number 1");
        assertThat(adapters.get(0).path()).isEqualTo(actor.path());
    }

    @Test
    void aFunctionThatThrowsFailsTheActor() {
        World world = World.ofSeed(1);
        world.spawn(adapting());
        world.run();
        adapters.get(0).tell(-1);
        adapters.get(0).tell(1);
        world.run();
        assertThat(heard).isEmpty();
        assertThat(world.metricsOf(String.class).failures()).isEqualTo(1);
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
    }

    @Test
    void theAdapterDiesWithItsActorAndTheDeadLetterIsWhatWasSent() {
        World world = World.ofSeed(1);
        Probe<DeadLetter> letters = world.events(DeadLetter.class);
        ActorRef<String> actor = world.spawn(adapting());
        world.run();
        adapters.get(0).tell(1);
        world.system.stop(actor);
        world.run();
        adapters.get(0).tell(2);
        world.run();
        assertThat(letters.heard(DeadLetter.class))
                .extracting(DeadLetter::message)
                .containsExactly(1, 2);
    }

    @Test
    @SuppressWarnings("unchecked")
    void whatIsNotOfTheAdaptersTypeIsUnhandled() {
        World world = World.ofSeed(1);
        world.spawn(adapting());
        world.run();
        ((ActorRef<Object>) (ActorRef<?>) adapters.get(0)).tell("text");
        world.run();
        assertThat(world.system.metrics().unhandled()).isEqualTo(1);
    }

    @Test
    void pipeToSelfBringsAValueOrAFailureAsAMessage() {
        World.forSeeds(20, world -> {
            heard.clear();
            CompletableFuture<Integer> good = new CompletableFuture<>();
            CompletableFuture<Integer> bad = new CompletableFuture<>();
            world.spawn(Behaviors.<String>setup(ctx -> {
                ctx.pipeToSelf(good, (value, failure) -> "value " + value);
                ctx.pipeToSelf(bad, (value, failure) -> "failure " + failure.getMessage());
                return hearing();
            }));
            world.run();
            good.complete(7);
            world.run();
            bad.completeExceptionally(new CompletionException(new IllegalStateException("broken")));
            world.run();
            assertThat(heard).containsExactly("value 7", "failure broken");
        });
    }

    @Test
    void aFutureThatComesTooLateIsNobodysProblem() {
        World world = World.ofSeed(1);
        CompletableFuture<Integer> late = new CompletableFuture<>();
        ActorRef<String> actor = world.spawn(Behaviors.setup(ctx -> {
            ctx.pipeToSelf(late, (value, failure) -> "value " + value);
            return hearing();
        }));
        world.run();
        world.system.stop(actor);
        world.run();
        late.complete(1);
        world.run();
        assertThat(heard).isEmpty();
    }
}

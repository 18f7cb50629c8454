package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Behaviors are values: what handles a message returns what handles the next one. */
class BehaviorsTest {

    sealed interface Cmd permits Add, Get, Nested {}

    record Add(int by) implements Cmd {}

    record Get() implements Cmd {}

    sealed interface Nested extends Cmd permits Deep {}

    record Deep() implements Nested {}

    private final World world = World.ofSeed(1);

    static Behavior<Cmd> counter(int n) {
        return Behaviors.receive(Cmd.class)
                .on(Add.class, (ctx, add) -> counter(n + add.by()))
                .on(Get.class, (ctx, get) -> {
                    ctx.reply(n);
                    return Behaviors.same();
                })
                .on(Deep.class, (ctx, deep) -> Behaviors.stopped())
                .build();
    }

    @Test
    void eachMessageIsHandledByTheBehaviorThatTheOneBeforeReturned() {
        World.forSeeds(20, w -> {
            ActorRef<Cmd> counter = w.spawn(counter(0), "counter");
            counter.tell(new Add(2));
            counter.tell(new Add(3));
            CompletableFuture<Integer> sum = counter.ask(new Get(), Integer.class);
            w.run();
            assertThat(sum).isCompletedWithValue(5);
        });
    }

    @Test
    void buildRefusesASealedProtocolWithAMessageLeftOut() {
        ReceiveBuilder<Cmd> incomplete = Behaviors.receive(Cmd.class)
                .on(Add.class, (ctx, add) -> Behaviors.same())
                .on(Get.class, (ctx, get) -> Behaviors.same());

        assertThatThrownBy(incomplete::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Deep.class.getName())
                .hasMessageContaining(".on(Deep.class");
        assertThat(incomplete.otherwise((ctx, any) -> Behaviors.same()).build()).isNotNull();
    }

    @Test
    void aHandlerForAPermittedInterfaceTakesAllBelowIt() {
        assertThat(Behaviors.receive(Cmd.class)
                        .on(Add.class, (ctx, add) -> Behaviors.same())
                        .on(Get.class, (ctx, get) -> Behaviors.same())
                        .on(Nested.class, (ctx, nested) -> Behaviors.same())
                        .build())
                .isNotNull();
    }

    @Test
    void buildRefusesAHandlerThatIsNeverReached() {
        ReceiveBuilder<Cmd> hidden = Behaviors.receive(Cmd.class)
                .on(Cmd.class, (ctx, any) -> Behaviors.same())
                .on(Add.class, (ctx, add) -> Behaviors.same());
        assertThatThrownBy(hidden::build).hasMessageContaining("never reached");
    }

    @Test
    void buildRefusesAHiddenHandlerAlsoWithOtherwise() {
        ReceiveBuilder<Cmd> hidden = Behaviors.receive(Cmd.class)
                .on(Cmd.class, (ctx, any) -> Behaviors.same())
                .on(Add.class, (ctx, add) -> Behaviors.same())
                .otherwise((ctx, any) -> Behaviors.same());
        assertThatThrownBy(hidden::build).hasMessageContaining("never reached");
    }

    @Test
    void handlersAreChosenByTypeThenBySupertypeThenOtherwise() {
        List<String> taken = new ArrayList<>();
        ActorRef<Object> actor = world.spawn(Behaviors.receive(Object.class)
                .on(Integer.class, (ctx, i) -> note(taken, "integer"))
                .on(Number.class, (ctx, n) -> note(taken, "number"))
                .otherwise((ctx, any) -> note(taken, "otherwise"))
                .build());
        actor.tell(1);
        actor.tell(1.5);
        actor.tell("one");
        world.run();
        assertThat(taken).containsExactly("integer", "number", "otherwise");
    }

    @Test
    void setupRunsOnceInTheActorsOwnTurnBeforeItsFirstMessage() {
        List<String> order = new ArrayList<>();
        ActorRef<String> actor = world.spawn(
                Behaviors.setup(ctx -> {
                    note(order, "setup of " + ctx.self().path().name());
                    return Behaviors.receive(String.class, (c, message) -> note(order, message));
                }),
                "it");
        assertThat(order).isEmpty();
        actor.tell("first");
        actor.tell("second");
        world.run();
        assertThat(order).containsExactly("setup of it", "first", "second");
    }

    @Test
    void stoppedStopsAfterTheMessageAndSignalsPostStopOnce() {
        World.forSeeds(20, w -> {
            List<String> order = new ArrayList<>();
            ActorRef<String> actor = w.spawn(Behaviors.receive(String.class)
                    .on(String.class, (ctx, message) -> {
                        order.add(message);
                        return message.equals("stop") ? Behaviors.stopped() : Behaviors.same();
                    })
                    .onSignal(PostStop.class, (ctx, signal) -> note(order, "post-stop"))
                    .build());
            actor.tell("stop");
            actor.tell("too late");
            w.run();
            assertThat(order).containsExactly("stop", "post-stop");
            assertThat(w.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
        });
    }

    @Test
    void aSetupMayDecideToStopAtOnce() {
        ActorRef<String> actor = world.spawn(Behaviors.setup(ctx -> Behaviors.stopped()), "brief");
        world.run();
        actor.tell("too late");
        assertThat(world.system.lookup("brief")).isEmpty();
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
    }

    @Test
    void emptyLeavesMessagesUnhandledAndIgnoreDropsThem() {
        world.spawn(Behaviors.<String>empty()).tell("x");
        world.spawn(Behaviors.<String>ignore()).tell("y");
        world.run();
        assertThat(world.system.metrics().unhandled()).isEqualTo(1);
    }

    @Test
    void aHandlerThatReturnsNullFailsWithAHint() {
        try (LogLines log = LogLines.ofSystem(world.system)) {
            world.spawn(Behaviors.receive(String.class, (ctx, message) -> null)).tell("x");
            world.run();
            assertThat(log.events())
                    .anySatisfy(
                            e -> assertThat(e.getThrowableProxy().getMessage()).contains("Behaviors.same()"));
        }
    }

    @Test
    void aBehaviorMayBeAClassWithFields() {
        final class Summing extends Behavior<Integer> {
            private int sum;

            @Override
            public Behavior<Integer> onMessage(ActorContext<Integer> ctx, Integer message) {
                sum += message;
                ctx.reply(sum);
                return this;
            }
        }
        ActorRef<Integer> actor = world.spawn(Behaviors.setup(ctx -> new Summing()));
        actor.tell(40);
        CompletableFuture<Integer> sum = actor.ask(2, Integer.class);
        world.run();
        assertThat(sum).isCompletedWithValue(42);
    }

    @Test
    void theContextRefusesToBeUsedOutsideTheActorsTurn() {
        List<ActorContext<String>> leaked = new ArrayList<>();
        world.spawn(Behaviors.<String>setup(ctx -> {
            leaked.add(ctx);
            return Behaviors.ignore();
        }));
        world.run();
        ActorContext<String> ctx = leaked.get(0);
        assertThatThrownBy(() -> ctx.spawn(Behaviors.<String>ignore()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("pipeToSelf");
        assertThatThrownBy(() -> ctx.watch(world.probe().ref())).isInstanceOf(IllegalStateException.class);
        assertThat(ctx.self()).isNotNull();
        assertThat(ctx.system()).isSameAs(world.system);
    }

    @Test
    void nullIsNoMessage() {
        ActorRef<String> actor = world.spawn(Behaviors.ignore(), "picky");
        assertThatThrownBy(() -> actor.tell(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("/user/picky");
    }

    private static <M> Behavior<M> note(List<String> notes, String text) {
        notes.add(text);
        return Behaviors.same();
    }
}

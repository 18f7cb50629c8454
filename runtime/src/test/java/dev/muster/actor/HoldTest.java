package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.engine.LocalActorRef;
import dev.muster.environment.Dispatchers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** An actor that is held is quiet, and forgets nothing. */
class HoldTest {

    private final World world = World.ofSeed(1);
    private final List<Object> handled = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    private <M> LocalActorRef<M> spawn(Behavior<M> behavior) {
        return (LocalActorRef<M>) world.spawn(behavior);
    }

    private Behavior<Object> collecting() {
        return Behaviors.receive(Object.class)
                .on(Object.class, (ctx, message) -> {
                    handled.add(message);
                    if (message.equals("fail")) {
                        ((LocalActorRef<Object>) ctx.self()).hold();
                        throw new IllegalStateException("fails");
                    }
                    return Behaviors.same();
                })
                .onSignal(PostStop.class, (ctx, stopped) -> {
                    handled.add("PostStop");
                    return Behaviors.same();
                })
                .build();
    }

    @Test
    void messagesWaitUntilItIsReleased() {
        LocalActorRef<Object> actor = spawn(collecting());
        actor.tell("a");
        actor.hold(() -> told.add("quiet"));
        assertThat(told).isEmpty();
        world.run();
        actor.tell("b");
        world.run();
        assertThat(told).containsExactly("quiet");
        assertThat(handled).isEmpty();
        assertThat(actor.waiting()).isEqualTo(2);

        actor.release();
        world.run();
        assertThat(handled).containsExactly("a", "b");
        assertThat(actor.waiting()).isZero();
    }

    @Test
    void onceIsEnoughHoweverOftenItWasHeld() {
        LocalActorRef<Object> actor = spawn(collecting());
        actor.hold(() -> told.add("first"));
        actor.hold(() -> told.add("second"));
        actor.tell("a");
        world.run();
        assertThat(told).containsExactly("first", "second");
        actor.release();
        actor.release();
        world.run();
        assertThat(handled).containsExactly("a");
        actor.tell("b");
        world.run();
        assertThat(handled).containsExactly("a", "b");
    }

    @Test
    void timersFuturesAndReceiveTimeoutsWaitToo() {
        CompletableFuture<String> future = new CompletableFuture<>();
        LocalActorRef<Object> actor = spawn(Behaviors.<Object>withTimers(timers -> Behaviors.setup(ctx -> {
            timers.startWithFixedDelay("key", "tick", Duration.ofSeconds(1));
            ctx.setReceiveTimeout(Duration.ofMillis(1500), "silence");
            ctx.pipeToSelf(future, (value, failure) -> value);
            return collecting();
        })));
        world.run();
        actor.hold();
        future.complete("result");
        world.pass(Duration.ofSeconds(10));
        assertThat(handled).isEmpty();

        actor.release();
        world.run();
        assertThat(handled).containsExactly("result", "tick");
        world.pass(Duration.ofMillis(1100));
        assertThat(handled).containsExactly("result", "tick", "tick");
    }

    @Test
    void theEndOfAWatchedActorWaitsToo() {
        ActorRef<Object> other = world.spawn(collecting());
        LocalActorRef<Object> actor = spawn(Behaviors.<Object>setup(ctx -> {
            ctx.watchWith(other, "it ended");
            return collecting();
        }));
        world.run();
        actor.hold();
        world.system.stop(other);
        world.run();
        assertThat(handled).containsExactly("PostStop");
        actor.release();
        world.run();
        assertThat(handled).containsExactly("PostStop", "it ended");
    }

    @Test
    void aRestartDoesNotReleaseItAndWaitsItself() {
        for (Supervision rule : List.of(
                Supervision.restart(),
                Supervision.restartWithBackoff(Duration.ofSeconds(1), Duration.ofSeconds(1), 0))) {
            handled.clear();
            LocalActorRef<Object> actor = spawn(Behaviors.supervise(Behaviors.<Object>setup(ctx -> {
                        handled.add("begins");
                        return collecting();
                    }))
                    .onFailure(rule));
            world.run();
            actor.tell("fail");
            actor.tell("a");
            world.pass(Duration.ofSeconds(5));
            assertThat(handled).containsExactly("begins", "fail");

            actor.release();
            world.pass(Duration.ofSeconds(5));
            assertThat(handled).containsExactly("begins", "fail", "begins", "a");
        }
    }

    @Test
    void itCanBeStopped() {
        LocalActorRef<Object> actor = spawn(collecting());
        actor.hold();
        actor.tell("a");
        world.run();
        world.system.stop(actor);
        world.run();
        assertThat(handled).containsExactly("PostStop");
        assertThat(actor.hasEnded()).isTrue();
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
    }

    @Test
    void whoeverHoldsOneThatHasEndedIsToldToo() {
        LocalActorRef<Object> actor = spawn(collecting());
        world.system.stop(actor);
        actor.hold(() -> told.add("just now"));
        world.run();
        actor.hold(() -> told.add("long ago"));
        actor.release();
        assertThat(told).containsExactly("just now", "long ago");
    }

    /** With a child, and a child of that one. */
    private Behavior<Object> family(SpawnOptions options) {
        return Behaviors.setup(ctx -> {
            ctx.spawn(
                    Behaviors.<Object>setup(child -> {
                        child.spawn(collecting(), "grandchild");
                        return collecting();
                    }),
                    "child",
                    options);
            return collecting();
        });
    }

    @SuppressWarnings("unchecked")
    private LocalActorRef<Object> below(LocalActorRef<?> actor, String names) {
        String path = actor.path().local() + "/" + names;
        return (LocalActorRef<Object>) world.system.lookup(path).orElseThrow();
    }

    @Test
    void childrenAndTheirChildrenAreHeldAndReleasedWithIt() {
        for (String dispatcher : List.of(Dispatchers.DEFAULT, Dispatchers.BLOCKING)) {
            handled.clear();
            LocalActorRef<Object> actor = spawn(family(SpawnOptions.defaults().withDispatcher(dispatcher)));
            world.run();
            actor.hold();
            world.run();
            below(actor, "child").tell("to the child");
            below(actor, "child/grandchild").tell("to the grandchild");
            world.run();
            assertThat(handled).isEmpty();

            actor.release();
            world.run();
            assertThat(handled).containsExactlyInAnyOrder("to the child", "to the grandchild");
        }
    }

    @Test
    void aChildThatHasNotBegunWaitsForTheReleaseToDoSo() {
        World.forSeeds(50, w -> {
            handled.clear();
            boolean[] isHeld = {false};
            LocalActorRef<Object> actor = (LocalActorRef<Object>) w.<Object>spawn(Behaviors.setup(ctx -> {
                ((LocalActorRef<Object>) ctx.self()).hold(() -> isHeld[0] = true);
                ctx.spawn(Behaviors.<Object>setup(child -> {
                    handled.add(isHeld[0] ? "begins while held" : "begins");
                    return collecting();
                }));
                return collecting();
            }));
            w.run();
            isHeld[0] = false;
            actor.release();
            w.run();
            assertThat(handled).containsExactly("begins");
        });
    }

    @Test
    void whoIsStartedByOneThatIsHeldIsHeldFromTheStart() {
        LocalActorRef<Object> actor = spawn(Behaviors.supervise(Behaviors.receive(Object.class)
                        .on(Object.class, (ctx, message) -> {
                            ctx.spawn(holdingAndFailing((LocalActorRef<Object>) ctx.self()))
                                    .tell("fail");
                            return Behaviors.same();
                        })
                        .onSignal(PreRestart.class, (ctx, restart) -> {
                            ctx.spawn(collecting(), "plain").tell("to the plain one");
                            ctx.spawn(
                                    Behaviors.<Object>setup(child -> {
                                        handled.add("begins");
                                        return collecting();
                                    }),
                                    "other");
                            return Behaviors.same();
                        })
                        .build())
                .onFailure(Supervision.restart().keepingChildren()));
        actor.tell("go");
        world.run();
        assertThat(handled).isEmpty();

        actor.release();
        world.run();
        assertThat(handled).containsExactlyInAnyOrder("to the plain one", "begins");
    }

    private static Behavior<Object> holdingAndFailing(LocalActorRef<Object> parent) {
        return Behaviors.supervise(Behaviors.receive(Object.class, (ctx, message) -> {
                    parent.hold();
                    throw new IllegalStateException("fails");
                }))
                .onFailure(Supervision.escalate());
    }

    @Test
    void aFamilyThatIsHeldCanBeStopped() {
        LocalActorRef<Object> actor = spawn(family(SpawnOptions.defaults()));
        world.run();
        actor.hold();
        LocalActorRef<Object> child = below(actor, "child");
        child.tell("a");
        world.run();
        world.system.stop(actor);
        world.run();
        assertThat(handled).containsExactly("PostStop", "PostStop", "PostStop");
        assertThat(child.hasEnded()).isTrue();
        assertThat(actor.hasEnded()).isTrue();
    }

    @Test
    void inEveryOrderItIsQuietBetweenHoldAndRelease() {
        World.forSeeds(200, w -> {
            handled.clear();
            boolean[] isQuiet = {false};
            LocalActorRef<Object> actor =
                    (LocalActorRef<Object>) w.<Object>spawn(Behaviors.receive(Object.class, (ctx, message) -> {
                        assertThat(isQuiet[0]).isFalse();
                        handled.add(message);
                        return Behaviors.same();
                    }));
            ActorRef<String> sender = w.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                actor.tell(message);
                return Behaviors.same();
            }));
            int[] rounds = {0};
            ActorRef<String> holder = w.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                if (message.equals("hold")) {
                    actor.hold(() -> {
                        isQuiet[0] = true;
                        ctx.self().tell("release");
                    });
                } else {
                    isQuiet[0] = false;
                    actor.release();
                    if (++rounds[0] < 4) {
                        ctx.self().tell("hold");
                    }
                }
                return Behaviors.same();
            }));
            holder.tell("hold");
            for (int i = 0; i < 20; i++) {
                sender.tell("" + i);
            }
            w.run();
            assertThat(handled).hasSize(20);
            assertThat(rounds[0]).isEqualTo(4);
            assertThat(w.metricsOf(Object.class).failures()).isZero();
        });
    }

    @Test
    void onRealThreadsTheMessageBeingHandledIsTheLast() throws Exception {
        CountDownLatch inHandler = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch quiet = new CountDownLatch(1);
        List<String> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (ActorSystem system = RealSystems.ofThreads("holds", 2)) {
            LocalActorRef<String> actor = (LocalActorRef<String>) system.spawn(
                    Behaviors.receive(String.class, (ctx, message) -> {
                        inHandler.countDown();
                        goOn.await();
                        seen.add(message);
                        return Behaviors.same();
                    }),
                    "actor");
            actor.tell("a");
            actor.tell("b");
            inHandler.await();
            actor.hold(quiet::countDown);
            goOn.countDown();
            quiet.await();
            assertThat(seen).containsExactly("a");
            assertThat(actor.waiting()).isEqualTo(1);
            actor.release();
            RealSystems.await(() -> seen.size() == 2);
        }
    }
}

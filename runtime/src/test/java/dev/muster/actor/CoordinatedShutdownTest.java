package dev.muster.actor;

import static dev.muster.actor.CoordinatedShutdown.Phase.ACTOR_SYSTEM_TERMINATE;
import static dev.muster.actor.CoordinatedShutdown.Phase.BEFORE_SERVICE_UNBIND;
import static dev.muster.actor.CoordinatedShutdown.Phase.CLUSTER_LEAVE;
import static dev.muster.actor.CoordinatedShutdown.Phase.SERVICE_STOP;
import static dev.muster.actor.CoordinatedShutdown.Phase.SERVICE_UNBIND;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.ConfigFactory;
import dev.muster.actor.engine.LocalActorSystem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Phases run in order, each within its time, and whatever goes wrong in one the next still comes. */
class CoordinatedShutdownTest {

    private final List<String> order = new ArrayList<>();

    private Supplier<CompletionStage<Void>> noting(String text) {
        return () -> {
            order.add(text);
            return CompletableFuture.completedFuture(null);
        };
    }

    @Test
    void phasesRunInOrderWhateverTheOrderTheirTasksWereAddedIn() {
        World.forSeeds(10, world -> {
            order.clear();
            world.system.shutdown().addTask(CLUSTER_LEAVE, "leave", noting("leave"));
            world.system.shutdown().addTask(BEFORE_SERVICE_UNBIND, "first", noting("first"));
            world.system.shutdown().addTask(SERVICE_STOP, "stop", noting("stop"));
            CompletableFuture<Void> done = world.system.shutdown().run("test");
            world.run();
            assertThat(done).isCompleted();
            assertThat(order).containsExactly("first", "stop", "leave");
            assertThat(world.system.shutdown().reason()).isEqualTo("test");
            assertThat(world.system.whenTerminated()).isCompleted();
        });
    }

    @Test
    void aPhaseWaitsForAllOfItsTasks() {
        World world = World.ofSeed(1);
        CompletableFuture<Void> slow = new CompletableFuture<>();
        world.system.shutdown().addTask(SERVICE_UNBIND, "quick", noting("quick"));
        world.system.shutdown().addTask(SERVICE_UNBIND, "slow", () -> slow);
        world.system.shutdown().addTask(SERVICE_STOP, "next", noting("next"));
        CompletableFuture<Void> done = world.system.terminate();
        world.run();
        assertThat(order).containsExactly("quick");
        slow.complete(null);
        world.run();
        assertThat(order).containsExactly("quick", "next");
        assertThat(done).isCompleted();
    }

    @Test
    void aPhaseIsLeftWhenItsTimeIsUpAndTheLogNamesWhoWasLate() {
        World world = World.ofSeed(1);
        world.system.shutdown().addTask(SERVICE_UNBIND, "the late one", CompletableFuture::new);
        world.system.shutdown().addTask(SERVICE_UNBIND, "the quick one", noting("quick"));
        world.system.shutdown().addTask(SERVICE_STOP, "next", noting("next"));
        try (LogLines log = LogLines.ofSystem(world.system)) {
            CompletableFuture<Void> done = world.system.terminate();
            world.pass(ofSeconds(4));
            assertThat(order).containsExactly("quick");
            world.pass(ofSeconds(1));
            assertThat(order).containsExactly("quick", "next");
            assertThat(done).isCompleted();
            assertThat(log.lines())
                    .anySatisfy(line -> assertThat(line)
                            .contains("service-unbind")
                            .contains("PT5S")
                            .contains("the late one")
                            .doesNotContain("the quick one"));
        }
    }

    @Test
    void aPhaseThatIsHeldOpenTakesLongerButNotForEver() {
        World world = World.ofSeed(1);
        Duration before = world.system.shutdown().limit();
        ((LocalActorSystem) world.system).holdOpen(SERVICE_UNBIND, ofSeconds(20), () -> true);
        assertThat(world.system.shutdown().limit().minus(before)).isBetween(ofSeconds(15), ofSeconds(16));
        world.system.shutdown().addTask(SERVICE_UNBIND, "the late one", CompletableFuture::new);
        world.system.shutdown().addTask(SERVICE_STOP, "next", noting("next"));
        CompletableFuture<Void> done = world.system.terminate();
        world.pass(ofSeconds(19));
        assertThat(order).isEmpty();
        world.pass(ofSeconds(2));
        assertThat(order).containsExactly("next");
        assertThat(done).isCompleted();
    }

    @Test
    void aPhaseOfWhichCannotBeSaidWhetherItIsNeededEndsInItsTime() {
        World world = World.ofSeed(1);
        ((LocalActorSystem) world.system).holdOpen(SERVICE_UNBIND, ofSeconds(20), () -> {
            throw new IllegalStateException("nobody knows");
        });
        world.system.shutdown().addTask(SERVICE_UNBIND, "the late one", CompletableFuture::new);
        CompletableFuture<Void> done = world.system.terminate();
        world.pass(ofSeconds(6));
        assertThat(done).isCompleted();
    }

    @Test
    void aTaskThatFailsOrThrowsIsLoggedAndTheShutdownGoesOn() {
        World world = World.ofSeed(1);
        world.system
                .shutdown()
                .addTask(SERVICE_UNBIND, "fails", () -> CompletableFuture.failedFuture(new IllegalStateException("a")));
        world.system.shutdown().addTask(SERVICE_UNBIND, "throws", () -> {
            throw new IllegalStateException("b");
        });
        world.system.shutdown().addTask(SERVICE_UNBIND, "returns nothing", () -> null);
        world.system.shutdown().addTask(SERVICE_STOP, "next", noting("next"));
        try (LogLines log = LogLines.ofSystem(world.system)) {
            CompletableFuture<Void> done = world.system.terminate();
            world.run();
            assertThat(done).isCompleted();
            assertThat(order).containsExactly("next");
            for (String task : List.of("fails", "throws", "returns nothing")) {
                assertThat(log.lines()).anySatisfy(line -> assertThat(line).contains("task " + task));
            }
        }
    }

    @Test
    void itRunsOnce() {
        World world = World.ofSeed(1);
        world.system.shutdown().addTask(SERVICE_STOP, "once", noting("once"));
        CompletableFuture<Void> one = world.system.shutdown().run("first reason");
        CompletableFuture<Void> two = world.system.shutdown().run("second reason");
        CompletableFuture<Void> three = world.system.terminate();
        world.run();
        assertThat(List.of(one, two, three)).allMatch(CompletableFuture::isDone);
        assertThat(order).containsExactly("once");
        assertThat(world.system.shutdown().reason()).isEqualTo("first reason");
    }

    @Test
    void aTaskMayBeAddedToAPhaseThatIsStillToComeButNoLater() {
        World world = World.ofSeed(1);
        CoordinatedShutdown shutdown = world.system.shutdown();
        shutdown.addTask(SERVICE_UNBIND, "adds", () -> {
            shutdown.addTask(SERVICE_STOP, "added", noting("added"));
            assertThatThrownBy(() -> shutdown.addTask(BEFORE_SERVICE_UNBIND, "late", noting("late")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("before-service-unbind");
            return CompletableFuture.completedFuture(null);
        });
        CompletableFuture<Void> done = world.system.terminate();
        world.run();
        assertThat(done).isCompleted();
        assertThat(order).containsExactly("added");
    }

    @Test
    void theLastPhaseStopsEveryActorLeavesFirst() {
        World.forSeeds(20, world -> {
            order.clear();
            world.spawn(Behaviors.<String>setup(ctx -> {
                ctx.spawn(ending("child"));
                return ending("parent");
            }));
            world.run();
            CompletableFuture<Void> done = world.system.terminate();
            world.run();
            assertThat(done).isCompleted();
            assertThat(order).containsExactly("child", "parent");
            assertThatThrownBy(() -> world.spawn(Behaviors.<String>ignore(), "late"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("stopping");
        });
    }

    private Behavior<String> ending(String name) {
        return Behaviors.receive(String.class)
                .on(String.class, (ctx, message) -> Behaviors.same())
                .onSignal(PostStop.class, (ctx, signal) -> {
                    order.add(name);
                    return Behaviors.same();
                })
                .build();
    }

    @Test
    void actorsStillAnswerBeforeTheLastPhase() {
        World world = World.ofSeed(1);
        ActorRef<String> actor = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
            ctx.reply(message);
            return Behaviors.same();
        }));
        world.system
                .shutdown()
                .addTask(
                        SERVICE_STOP,
                        "asks",
                        () -> actor.ask("hello", String.class).thenAccept(order::add));
        CompletableFuture<Void> done = world.system.terminate();
        world.run();
        assertThat(done).isCompleted();
        assertThat(order).containsExactly("hello");
    }

    @Test
    void aTaskThatBlocksItsThreadIsLeftInTimeToo() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean nextCame = new AtomicBoolean();
        ActorSystem system = ActorSystem.create("blocked", ConfigFactory.parseString("""
                        muster.coordinated-shutdown.run-by-jvm-shutdown-hook = off
                        muster.coordinated-shutdown.phases.service-unbind.timeout = 100ms
                        """));
        for (int i = 0; i < 5; i++) {
            system.shutdown().addTask(SERVICE_UNBIND, "blocks " + i, () -> {
                awaitQuietly(never);
                return CompletableFuture.completedFuture(null);
            });
        }
        system.shutdown().addTask(SERVICE_STOP, "next", () -> {
            nextCame.set(true);
            return CompletableFuture.completedFuture(null);
        });
        try {
            assertThat(system.terminate()).succeedsWithin(10, TimeUnit.SECONDS);
            assertThat(nextCame).isTrue();
        } finally {
            never.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aSystemCanBeEndedByClosingItAndWhoStillWaitsForAReplyIsTold() {
        ActorSystem system = ActorSystem.create("brief", ConfigFactory.load());
        ActorRef<String> mute = system.spawn(Behaviors.ignore(), "mute");
        CompletableFuture<String> answer = mute.ask("hello", String.class, ofHours(1));
        CompletableFuture<String> dependent = answer.thenApply(reply -> reply + "!");
        system.close();
        assertThat(system.whenTerminated()).isCompleted();
        mute.tell("too late");
        for (CompletableFuture<String> future : List.of(answer, dependent, mute.ask("too late", String.class))) {
            assertThatThrownBy(() -> future.get(5, TimeUnit.SECONDS)).isInstanceOf(ExecutionException.class);
        }
    }

    @Test
    void everyPhaseHasItsKey() {
        assertThat(ACTOR_SYSTEM_TERMINATE.key()).isEqualTo("actor-system-terminate");
    }
}

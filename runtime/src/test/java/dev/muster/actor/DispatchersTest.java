package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where actors run, on real threads. */
class DispatchersTest {

    private final ActorSystem system = RealSystems.with("where", """
            muster.actor.dispatchers.default.threads = 2
            muster.actor.dispatchers.mine { type = fork-join, threads = 1, messages-per-turn = 5 }
            muster.actor.dispatchers.alone { type = pinned }
            """);

    @AfterEach
    void end() {
        system.close();
    }

    private static final Behavior<String> WHERE = Behaviors.receive(String.class, (ctx, message) -> {
        ctx.reply(Thread.currentThread());
        return Behaviors.same();
    });

    private Thread threadOf(ActorRef<String> actor) {
        return actor.ask("where", Thread.class).join();
    }

    private ActorRef<String> spawn(SpawnOptions options) {
        return system.spawn(WHERE, null, options);
    }

    @Test
    void actorsRunOnTheDefaultDispatcherUnlessToldOtherwise() {
        Thread thread = threadOf(spawn(SpawnOptions.defaults()));
        assertThat(thread.getName()).startsWith("where-default-");
        assertThat(thread.isDaemon()).isTrue();
    }

    @Test
    void aConfiguredDispatcherIsFoundByItsName() {
        assertThat(threadOf(spawn(SpawnOptions.defaults().withDispatcher("mine")))
                        .getName())
                .startsWith("where-mine-");
    }

    @Test
    void aPinnedActorAlwaysHasItsOwnThreadWhichEndsWithIt() {
        for (SpawnOptions options :
                List.of(SpawnOptions.pinned(), SpawnOptions.defaults().withDispatcher("alone"))) {
            ActorRef<String> one = spawn(options);
            ActorRef<String> two = spawn(options);
            Set<Thread> threads = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                threads.add(threadOf(one));
            }
            Thread ofOne = threads.iterator().next();
            assertThat(threads).hasSize(1);
            assertThat(threadOf(two)).isNotEqualTo(ofOne);
            system.stop(one);
            RealSystems.await(() -> !ofOne.isAlive());
            assertThat(threadOf(two).isAlive()).isTrue();
        }
    }

    @Test
    void blockingActorsWaitSideBySideAndHoldUpNobody() throws Exception {
        int many = 40;
        CountDownLatch open = new CountDownLatch(1);
        CountDownLatch waiting = new CountDownLatch(many);
        Behavior<String> waits = Behaviors.receive(String.class, (ctx, message) -> {
            waiting.countDown();
            open.await();
            ctx.reply(isVirtual(Thread.currentThread()));
            return Behaviors.same();
        });
        List<CompletableFuture<Boolean>> answers = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            answers.add(system.spawn(waits, null, SpawnOptions.blocking()).ask("wait", Boolean.class));
        }
        assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(threadOf(spawn(SpawnOptions.defaults()))).isNotNull();
        open.countDown();
        boolean hasVirtualThreads = Runtime.version().feature() >= 21;
        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(hasVirtualThreads));
    }

    private static boolean isVirtual(Thread thread) throws ReflectiveOperationException {
        return Runtime.version().feature() >= 21
                && (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
    }

    @Test
    void twoActorsOfADispatcherWithTwoThreadsRunAtTheSameTime() {
        CyclicBarrier both = new CyclicBarrier(2);
        Behavior<String> meets = Behaviors.receive(String.class, (ctx, message) -> {
            both.await(10, TimeUnit.SECONDS);
            ctx.reply("met");
            return Behaviors.same();
        });
        CompletableFuture<String> one = system.spawn(meets, "one").ask("meet", String.class);
        CompletableFuture<String> two = system.spawn(meets, "two").ask("meet", String.class);
        assertThat(one).succeedsWithin(10, TimeUnit.SECONDS);
        assertThat(two).succeedsWithin(10, TimeUnit.SECONDS);
    }

    @Test
    void anActorReadsOnlySoManyMessagesInATurn() throws Exception {
        SpawnOptions mine = SpawnOptions.defaults().withDispatcher("mine");
        List<String> order = new ArrayList<>();
        CountDownLatch filled = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(2);
        Behavior<String> noting = Behaviors.setup(ctx -> Behaviors.receive(String.class, (c, message) -> {
            filled.await();
            order.add(message);
            if (message.endsWith("last")) {
                done.countDown();
            }
            return Behaviors.same();
        }));
        ActorRef<String> greedy = system.spawn(noting, "greedy", mine);
        ActorRef<String> modest = system.spawn(noting, "modest", mine);
        for (int i = 0; i < 50; i++) {
            greedy.tell("g" + i);
        }
        greedy.tell("g last");
        modest.tell("m last");
        filled.countDown();
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(order.indexOf("m last")).isLessThan(15);
    }

    @Test
    void callbacksOfAnAskRunOnTheDefaultDispatcher() {
        CountDownLatch attached = new CountDownLatch(1);
        ActorRef<String> actor = system.spawn(
                Behaviors.receive(String.class, (ctx, message) -> {
                    attached.await();
                    ctx.reply(message);
                    return Behaviors.same();
                }),
                null,
                SpawnOptions.pinned());
        CompletableFuture<String> name = actor.ask("x", String.class)
                .thenApply(x -> Thread.currentThread().getName());
        attached.countDown();
        assertThat(name.join()).startsWith("where-default-");
        CompletableFuture<String> late = system.spawn(Behaviors.<String>ignore(), "mute")
                .ask("x", String.class, java.time.Duration.ofMillis(600))
                .handle((reply, failure) -> Thread.currentThread().getName());
        assertThat(late.join()).startsWith("where-default-");
    }

    @Test
    void noThreadIsLeftWhenTheSystemHasEnded() {
        ActorSystem brief = RealSystems.with("leavesNothing", "");
        for (SpawnOptions options : List.of(SpawnOptions.defaults(), SpawnOptions.blocking(), SpawnOptions.pinned())) {
            assertThat(brief.spawn(WHERE, null, options)
                            .ask("where", Thread.class)
                            .join())
                    .isNotNull();
        }
        brief.close();
        RealSystems.await(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("leavesNothing-")));
    }
}

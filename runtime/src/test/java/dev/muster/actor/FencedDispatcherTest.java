package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.engine.Fence;
import dev.muster.actor.engine.FencedDispatcher;
import dev.muster.actor.engine.LocalActorRef;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.environment.Activation;
import dev.muster.environment.Dispatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Behind a closed fence nobody takes a turn, and nobody is forgotten. */
class FencedDispatcherTest {

    private final List<Object> handled = new ArrayList<>();

    /** A fence with a handle. */
    private static final class Gatekeeper implements Fence {
        private final List<Runnable> waiting = new ArrayList<>();
        private volatile boolean isOpen = true;

        @Override
        public boolean isOpen() {
            return isOpen;
        }

        @Override
        public synchronized void whenOpen(Runnable task) {
            if (isOpen) {
                task.run();
            } else {
                waiting.add(task);
            }
        }

        synchronized void open() {
            isOpen = true;
            waiting.forEach(Runnable::run);
            waiting.clear();
        }

        void close() {
            isOpen = false;
        }
    }

    /** In virtual worlds a turn is one message; on real threads it is as many as here. */
    private record LongTurns(Dispatcher inner) implements Dispatcher {
        @Override
        public void execute(Activation activation) {
            inner.execute(activation);
        }

        @Override
        public void execute(Runnable task) {
            inner.execute(task);
        }

        @Override
        public int messagesPerTurn() {
            return 256;
        }

        @Override
        public void shutdown() {
            inner.shutdown();
        }
    }

    private <M> LocalActorRef<M> spawn(World world, Fence fence, Behavior<M> behavior) {
        LocalActorSystem system = (LocalActorSystem) world.system;
        return system.spawnOn(
                new FencedDispatcher(system.defaultDispatcher(), fence), behavior, null, SpawnOptions.defaults());
    }

    private <M> LocalActorRef<M> spawnWithLongTurns(World world, Fence fence, Behavior<M> behavior) {
        LocalActorSystem system = (LocalActorSystem) world.system;
        return system.spawnOn(
                new FencedDispatcher(new LongTurns(system.defaultDispatcher()), fence),
                behavior,
                null,
                SpawnOptions.defaults());
    }

    private Behavior<String> collecting() {
        return Behaviors.<String>setup(ctx -> {
            handled.add("begins");
            return Behaviors.receive(String.class)
                    .on(String.class, (c, message) -> {
                        handled.add(message);
                        return Behaviors.same();
                    })
                    .onSignal(PostStop.class, (c, stopped) -> {
                        handled.add("PostStop");
                        return Behaviors.same();
                    })
                    .build();
        });
    }

    @Test
    void whoeverComesWhileItIsClosedWaitsAndGoesOnOnceItOpens() {
        World.forSeeds(50, world -> {
            handled.clear();
            Gatekeeper fence = new Gatekeeper();
            LocalActorRef<String> actor = spawn(world, fence, collecting());
            actor.tell("a");
            world.run();
            fence.close();
            actor.tell("b");
            actor.tell("c");
            world.run();
            assertThat(handled).containsExactly("begins", "a");
            fence.open();
            assertThat(handled).as("not on the thread that opens it").containsExactly("begins", "a");
            world.run();
            assertThat(handled).containsExactly("begins", "a", "b", "c");
        });
    }

    @Test
    void ifItClosesInTheMiddleOfATurnTheMessageAtHandIsTheLast() {
        World.forSeeds(50, world -> {
            handled.clear();
            Gatekeeper fence = new Gatekeeper();
            LocalActorRef<String> actor =
                    spawnWithLongTurns(world, fence, Behaviors.receive(String.class, (ctx, message) -> {
                        if (message.equals("b")) {
                            fence.close();
                        }
                        handled.add(message);
                        return Behaviors.same();
                    }));
            List.of("a", "b", "c", "d").forEach(actor::tell);
            world.run();
            assertThat(handled).containsExactly("a", "b");
            fence.open();
            world.run();
            assertThat(handled).containsExactly("a", "b", "c", "d");
        });
    }

    @Test
    void ifItClosesInTheMiddleOfATurnSignalsWaitToo() {
        World world = World.ofSeed(1);
        Gatekeeper fence = new Gatekeeper();
        LocalActorRef<String> actor = spawnWithLongTurns(
                world,
                fence,
                Behaviors.receive(String.class)
                        .on(String.class, (ctx, message) -> {
                            world.system.stop(ctx.self());
                            fence.close();
                            return Behaviors.same();
                        })
                        .onSignal(PostStop.class, (ctx, stopped) -> {
                            handled.add("PostStop");
                            return Behaviors.same();
                        })
                        .build());
        actor.tell("stop");
        world.run();
        assertThat(handled).isEmpty();
        fence.open();
        world.run();
        assertThat(handled).containsExactly("PostStop");
    }

    @Test
    void inEveryOrderNobodyRunsBehindAClosedFenceAndNothingIsLost() {
        World.forSeeds(200, world -> {
            handled.clear();
            Gatekeeper fence = new Gatekeeper();
            LocalActorRef<String> actor = spawn(world, fence, Behaviors.receive(String.class, (ctx, message) -> {
                handled.add(fence.isOpen() ? message : "behind a closed fence");
                return Behaviors.same();
            }));
            ActorRef<String> keeper = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                if (message.equals("open")) {
                    fence.open();
                } else {
                    fence.close();
                }
                return Behaviors.same();
            }));
            for (int i = 0; i < 6; i++) {
                actor.tell("" + i);
                keeper.tell(i % 2 == 0 ? "close" : "open");
            }
            world.run();
            assertThat(handled).containsExactly("0", "1", "2", "3", "4", "5");
        });
    }

    @Test
    void aTurnThatWasAskedForBeforeItClosedWaitsToo() {
        World world = World.ofSeed(1);
        Gatekeeper fence = new Gatekeeper();
        LocalActorRef<String> actor = spawn(world, fence, collecting());
        actor.tell("a");
        fence.close();
        world.run();
        assertThat(handled).isEmpty();
        fence.open();
        fence.close();
        world.run();
        assertThat(handled).as("it closed again before the turn").isEmpty();
        fence.open();
        world.run();
        assertThat(handled).containsExactly("begins", "a");
    }

    @Test
    void childrenAreBehindItTooWhateverDispatcherTheyHave() {
        for (SpawnOptions options : List.of(SpawnOptions.defaults(), SpawnOptions.blocking())) {
            handled.clear();
            World world = World.ofSeed(1);
            Gatekeeper fence = new Gatekeeper();
            List<ActorRef<String>> below = new ArrayList<>();
            Behavior<String> child = Behaviors.setup(ctx -> {
                below.add(ctx.spawn(collecting()));
                return collecting();
            });
            LocalActorRef<String> actor = spawn(world, fence, Behaviors.setup(ctx -> {
                below.add(ctx.spawn(child, "child", options));
                return collecting();
            }));
            world.run();
            handled.clear();
            fence.close();
            below.forEach(it -> it.tell("a"));
            world.run();
            assertThat(handled).isEmpty();
            fence.open();
            world.run();
            assertThat(handled).containsExactly("a", "a");
            world.system.stop(actor);
            world.run();
            assertThat(handled).containsExactly("a", "a", "PostStop", "PostStop", "PostStop");
        }
    }

    @Test
    @Timeout(60)
    void aChildWithAThreadOfItsOwnIsBehindItAndEndsItsThread() {
        Gatekeeper fence = new Gatekeeper();
        List<String> seen = new java.util.concurrent.CopyOnWriteArrayList<>();
        try (ActorSystem system = RealSystems.ofThreads("pinned", 2)) {
            LocalActorSystem local = (LocalActorSystem) system;
            Behavior<String> child = Behaviors.receive(String.class, (ctx, message) -> {
                seen.add(fence.isOpen() ? Thread.currentThread().getName() : "behind a closed fence");
                return Behaviors.stopped();
            });
            LocalActorRef<String> actor = local.spawnOn(
                    new FencedDispatcher(local.defaultDispatcher(), fence),
                    Behaviors.receive(String.class, (ctx, message) -> {
                        ActorRef<String> pinned = ctx.spawn(child, "child", SpawnOptions.pinned());
                        fence.close();
                        pinned.tell(message);
                        return Behaviors.same();
                    }),
                    null,
                    SpawnOptions.defaults());
            actor.tell("a");
            RealSystems.await(() -> !fence.isOpen());
            fence.open();
            RealSystems.await(() -> seen.size() == 1);
            assertThat(seen.get(0)).contains("pinned");
        }
    }

    @Test
    void stopsAndHandoversWaitForItToo() {
        World world = World.ofSeed(1);
        Gatekeeper fence = new Gatekeeper();
        LocalActorRef<String> actor = spawn(world, fence, collecting());
        world.run();
        fence.close();
        actor.tell("a");
        actor.retire(true, leaves -> handled.addAll(leaves.rest()));
        world.run();
        assertThat(handled).containsExactly("begins");
        fence.open();
        world.run();
        assertThat(handled).hasSize(3).endsWith("PostStop");
    }

    @Test
    void thoseWhoWaitAreGivenTurnsInTheOrderInWhichTheyCame() {
        InOrder inner = new InOrder();
        Gatekeeper fence = new Gatekeeper();
        FencedDispatcher fenced = new FencedDispatcher(inner, fence);
        fence.close();
        for (int i = 0; i < 5; i++) {
            Turn turn = new Turn(i);
            if (i == 3) {
                fenced.executeAfterOthers(turn);
            } else {
                fenced.execute(turn);
            }
        }
        fenced.execute(() -> handled.add("task"));
        inner.runAll();
        assertThat(handled).isEmpty();
        fence.open();
        inner.runAll();
        assertThat(handled).containsExactly(0, 1, 2, 3, 4, "task");
        assertThat(inner.afterOthers).isEqualTo(1);
    }

    @Test
    void theRestIsAsTheDispatcherBehindItSays() {
        InOrder inner = new InOrder();
        Gatekeeper fence = new Gatekeeper();
        FencedDispatcher fenced = new FencedDispatcher(inner, fence);
        assertThat(fenced.messagesPerTurn()).isEqualTo(17);
        Turn turn = new Turn(1);
        fenced.execute(turn);
        assertThat(((Activation) inner.ready.get(0)).whose()).isSameAs(turn);
        fence.close();
        inner.runAll();
        fenced.shutdown();
        assertThat(inner.isShutDown).isTrue();
        // Whoever still waited gets no turn any more, and whoever opens the fence does not hear of that.
        fence.open();
        assertThat(handled).isEmpty();
    }

    @Test
    @Timeout(60)
    void onRealThreadsNoTurnIsLostHoweverOftenItClosesAndOpens() {
        int actors = 8;
        int each = 2_000;
        AtomicLong count = new AtomicLong();
        Gatekeeper fence = new Gatekeeper();
        try (ActorSystem system = RealSystems.ofThreads("fences", 2)) {
            LocalActorSystem local = (LocalActorSystem) system;
            Dispatcher fenced = new FencedDispatcher(local.defaultDispatcher(), fence);
            List<LocalActorRef<Integer>> all = new ArrayList<>();
            for (int i = 0; i < actors; i++) {
                all.add(local.spawnOn(
                        fenced,
                        Behaviors.receive(Integer.class, (ctx, n) -> {
                            count.incrementAndGet();
                            return Behaviors.same();
                        }),
                        null,
                        SpawnOptions.defaults()));
            }
            for (int i = 0; i < each; i++) {
                int number = i;
                if (i % 3 == 0) {
                    fence.close();
                } else if (i % 3 == 2) {
                    fence.open();
                }
                all.forEach(actor -> actor.tell(number));
            }
            fence.open();
            RealSystems.await(() -> count.get() == (long) actors * each);
        }
    }

    private final class Turn extends Activation {
        private final int number;

        Turn(int number) {
            this.number = number;
        }

        @Override
        public void run() {
            handled.add(number);
        }
    }

    /** Runs what it is given, in order, when told to. */
    private static final class InOrder implements Dispatcher {
        final List<Runnable> ready = new ArrayList<>();
        int afterOthers;
        boolean isShutDown;

        @Override
        public void execute(Activation activation) {
            execute((Runnable) activation);
        }

        @Override
        public void executeAfterOthers(Activation activation) {
            afterOthers++;
            execute(activation);
        }

        @Override
        public void execute(Runnable task) {
            if (isShutDown) {
                throw new RejectedExecutionException("shut down");
            }
            ready.add(task);
        }

        void runAll() {
            while (!ready.isEmpty()) {
                ready.remove(0).run();
            }
        }

        @Override
        public int messagesPerTurn() {
            return 17;
        }

        @Override
        public void shutdown() {
            isShutDown = true;
        }
    }
}

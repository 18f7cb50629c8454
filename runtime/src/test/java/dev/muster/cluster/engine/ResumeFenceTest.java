package dev.muster.cluster.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behaviors;
import dev.muster.actor.SpawnOptions;
import dev.muster.actor.engine.FencedDispatcher;
import dev.muster.actor.engine.LocalActorSystem;
import dev.muster.environment.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After a pause nobody runs until the core has had a turn. */
class ResumeFenceTest {
    private static final long HALF_PAUSE = 1_000;

    private static final class SetClock implements Clock {
        private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 500); // it overflows soon

        void pass(long nanos) {
            now.addAndGet(nanos);
        }

        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    }

    private final SetClock clock = new SetClock();
    private final List<String> ran = new ArrayList<>();
    private int asked;
    private final ResumeFence fence = new ResumeFence(clock, HALF_PAUSE, () -> asked++);

    @Test
    void itIsOpenWhileTheCoreTakesTurns() {
        for (int i = 0; i < 10; i++) {
            clock.pass(HALF_PAUSE);
            assertThat(fence.isOpen()).isTrue();
            fence.coreTurned(clock.nanoTime());
        }
        fence.whenOpen(() -> ran.add("a"));
        assertThat(ran).containsExactly("a");
        assertThat(asked).isZero();
    }

    /** On the dispatcher of real nodes, where a turn is up to 256 messages. */
    @Test
    @Timeout(60)
    void aPauseInTheMiddleOfATurnEndsItAfterTheMessageAtHand() throws InterruptedException {
        List<Integer> handled = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch coreIsAsked = new CountDownLatch(1);
        CountDownLatch allCame = new CountDownLatch(1);
        ResumeFence paused = new ResumeFence(clock, HALF_PAUSE, coreIsAsked::countDown);
        CountDownLatch lastCame = new CountDownLatch(1);
        try (ActorSystem system = ActorSystem.create("paused")) {
            LocalActorSystem local = (LocalActorSystem) system;
            ActorRef<Integer> actor = local.spawnOn(
                    new FencedDispatcher(local.defaultDispatcher(), paused),
                    Behaviors.receive(Integer.class, (context, number) -> {
                        if (number == 0) {
                            allCame.await();
                        } else if (number == 2) {
                            clock.pass(HALF_PAUSE + 1);
                        }
                        handled.add(number);
                        if (number == 99) {
                            lastCame.countDown();
                        }
                        return Behaviors.same();
                    }),
                    "busy",
                    SpawnOptions.defaults());
            List<Integer> numbers = IntStream.range(0, 100).boxed().toList();
            numbers.forEach(actor::tell);
            allCame.countDown();
            assertThat(coreIsAsked.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(handled).containsExactly(0, 1, 2);

            paused.coreTurned(clock.nanoTime());
            assertThat(lastCame.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(handled).isEqualTo(numbers);
        }
    }

    @Test
    void afterAPauseTheCoreIsAskedOnceAndThoseWhoWaitRunAfterItsTurnInOrder() {
        clock.pass(HALF_PAUSE + 1);
        for (String name : List.of("a", "b", "c")) {
            assertThat(fence.isOpen()).isFalse();
            fence.whenOpen(() -> ran.add(name));
        }
        assertThat(asked).isEqualTo(1);
        assertThat(ran).isEmpty();

        fence.coreTurned(clock.nanoTime());
        assertThat(ran).containsExactly("a", "b", "c");
        assertThat(fence.isOpen()).isTrue();

        clock.pass(HALF_PAUSE + 1);
        assertThat(fence.isOpen()).isFalse();
        assertThat(asked).as("the next time that it is closed").isEqualTo(2);
    }

    @Test
    void aTurnThatEndsBetweenTheLookAndTheWaitIsNotMissed() {
        clock.pass(HALF_PAUSE + 1);
        assertThat(fence.isOpen()).isFalse();
        fence.coreTurned(clock.nanoTime());
        fence.whenOpen(() -> ran.add("a"));
        assertThat(ran).containsExactly("a");
    }

    @Test
    void aTurnFromBeforeThePauseDoesNotOpenItAndTheCoreIsAskedAgain() {
        long before = clock.nanoTime();
        clock.pass(HALF_PAUSE + 1);
        assertThat(fence.isOpen()).isFalse();
        fence.whenOpen(() -> ran.add("a"));
        fence.coreTurned(before);
        assertThat(ran).isEmpty();
        assertThat(asked).isEqualTo(2);
        fence.coreTurned(clock.nanoTime());
        assertThat(ran).containsExactly("a");
    }

    @Test
    void whenTheCoreHasStoppedItStaysOpen() {
        clock.pass(HALF_PAUSE + 1);
        assertThat(fence.isOpen()).isFalse();
        fence.whenOpen(() -> ran.add("a"));
        fence.coreStopped();
        clock.pass(10 * HALF_PAUSE);
        assertThat(fence.isOpen()).isTrue();
        fence.whenOpen(() -> ran.add("b"));
        assertThat(ran).containsExactly("a", "b");
        assertThat(asked).isEqualTo(1);
    }

    @Test
    void aPauseOfNothingIsRefused() {
        assertThatThrownBy(() -> new ResumeFence(clock, 0, () -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("positive");
    }

    @Test
    @Timeout(60)
    void onRealThreadsNobodyWaitsForEver() throws Exception {
        int threads = 3;
        int each = 20_000;
        Semaphore turnsWanted = new Semaphore(0);
        ResumeFence shared = new ResumeFence(clock, HALF_PAUSE, turnsWanted::release);
        CountDownLatch done = new CountDownLatch(threads * each);
        AtomicInteger working = new AtomicInteger(threads);
        // A core that takes a turn only when it is asked for one.
        Thread core = new Thread(() -> {
            try {
                while (working.get() > 0 || done.getCount() > 0) {
                    if (turnsWanted.tryAcquire(10, TimeUnit.MILLISECONDS)) {
                        shared.coreTurned(clock.nanoTime());
                    }
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        core.start();
        List<Thread> others = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            boolean makesPauses = t == 0;
            Thread other = new Thread(() -> {
                for (int i = 0; i < each; i++) {
                    if (makesPauses && i % 5 == 0) {
                        clock.pass(HALF_PAUSE + 1);
                    }
                    if (shared.isOpen()) {
                        done.countDown();
                    } else {
                        shared.whenOpen(done::countDown);
                    }
                }
                working.decrementAndGet();
            });
            other.start();
            others.add(other);
        }
        for (Thread other : others) {
            other.join();
        }
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        core.join();
    }
}

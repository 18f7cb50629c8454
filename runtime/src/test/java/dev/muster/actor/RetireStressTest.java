package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.engine.Letter;
import dev.muster.actor.engine.LocalActorRef;
import dev.muster.actor.engine.Retired;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads that send while an actor hands over: every message is handled, in the rest, or a dead letter. */
@Timeout(60)
class RetireStressTest {

    private static final int SENDERS = 3;
    private static final int EACH = 400;
    private static final int ROUNDS = 60;

    @Test
    void nothingIsLostAndNothingIsThereTwice() throws Exception {
        try (ActorSystem system = RealSystems.ofThreads("retires", 2)) {
            for (int round = 0; round < ROUNDS; round++) {
                oneRound(system, round);
            }
        }
    }

    private static void oneRound(ActorSystem system, int round) throws Exception {
        AtomicIntegerArray seen = new AtomicIntegerArray(SENDERS * EACH);
        AtomicInteger handledAfterwards = new AtomicInteger();
        CompletableFuture<Retired> retired = new CompletableFuture<>();
        ActorRef<DeadLetter> collector = system.spawn(
                Behaviors.receive(DeadLetter.class, (ctx, letter) -> {
                    seen.incrementAndGet((Integer) letter.message());
                    return Behaviors.same();
                }),
                null,
                SpawnOptions.defaults().withUnboundedMailbox());
        system.events().subscribe(collector, DeadLetter.class);
        LocalActorRef<Object> actor = (LocalActorRef<Object>) system.<Object>spawn(stashingSome(seen, () -> {
            if (retired.isDone()) {
                handledAfterwards.incrementAndGet();
            }
        }));
        int retireAt = round * EACH / ROUNDS;
        inParallel(sender -> {
            for (int i = 0; i < EACH; i++) {
                int number = sender * EACH + i;
                if (i % 3 != 0 || !actor.tellUnread(() -> number, null)) {
                    actor.tell(number);
                }
                if (sender == 0 && i == retireAt) {
                    actor.retire(true, leaves -> {
                        assertThat(retired.complete(leaves)).isTrue();
                    });
                }
            }
        });
        Retired leaves = retired.get(30, TimeUnit.SECONDS);
        int[] last = new int[SENDERS];
        for (Letter letter : leaves.rest()) {
            int number = (Integer) letter.message();
            seen.incrementAndGet(number);
            assertThat(number % EACH).isGreaterThanOrEqualTo(last[number / EACH]);
            last[number / EACH] = number % EACH;
        }
        RealSystems.await(() -> {
            for (int i = 0; i < seen.length(); i++) {
                if (seen.get(i) == 0) {
                    return false;
                }
            }
            return true;
        });
        for (int i = 0; i < seen.length(); i++) {
            assertThat(seen.get(i)).isEqualTo(1);
        }
        assertThat(handledAfterwards).hasValue(0);
        RealSystems.await(actor::hasEnded);
        system.events().unsubscribe(collector);
        system.stop(collector);
    }

    private static Behavior<Object> stashingSome(AtomicIntegerArray seen, Runnable onMessage) {
        return Behaviors.withStash(
                SENDERS * EACH,
                one -> Behaviors.withStash(
                        SENDERS * EACH,
                        other -> Behaviors.receive(Object.class, (ctx, message) -> {
                            onMessage.run();
                            int number = (Integer) message;
                            if (number % 7 == 0) {
                                one.stash(message);
                            } else if (number % 7 == 1) {
                                other.stash(message);
                            } else {
                                seen.incrementAndGet(number);
                            }
                            return Behaviors.same();
                        })));
    }

    private static void inParallel(java.util.function.IntConsumer work) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        List<Throwable> failures = new java.util.concurrent.CopyOnWriteArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    work.accept(number);
                } catch (Throwable failure) {
                    failures.add(failure);
                }
            });
            thread.start();
            all.add(thread);
        }
        start.countDown();
        for (Thread thread : all) {
            thread.join(TimeUnit.SECONDS.toMillis(60));
        }
        assertThat(failures).isEmpty();
    }
}

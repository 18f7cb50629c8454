package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promises of the mailbox, kept by real threads in each other's way. */
@Timeout(60)
class MailboxStressTest {

    private static final int SENDERS = 4;

    record Numbered(int sender, int number) {}

    private static void inParallel(int threads, java.util.function.IntConsumer work) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        List<Throwable> failures = new java.util.concurrent.CopyOnWriteArrayList<>();
        for (int i = 0; i < threads; i++) {
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

    /** Fields without any synchronization: only the promise of one message at a time keeps them right. */
    private static final class Receiver extends Behavior<Numbered> {
        private final int[] next = new int[SENDERS];
        private final CountDownLatch done;
        private long handled;
        private boolean isBusy;
        private String complaint;

        Receiver(CountDownLatch done) {
            this.done = done;
        }

        @Override
        public Behavior<Numbered> onMessage(ActorContext<Numbered> ctx, Numbered message) {
            if (isBusy) {
                complaint = "two at a time";
            }
            isBusy = true;
            if (message.number() != next[message.sender()]++) {
                complaint = message + " came out of order";
            }
            handled++;
            isBusy = false;
            done.countDown();
            return this;
        }
    }

    @Test
    void everySendersMessagesAreHandledInOrderAndOneAtATime() throws Exception {
        int each = 250_000;
        CountDownLatch done = new CountDownLatch(SENDERS * each);
        Receiver receiver = new Receiver(done);
        try (ActorSystem system = RealSystems.ofThreads("stress", 4)) {
            ActorRef<Numbered> actor =
                    system.spawn(receiver, "receiver", SpawnOptions.defaults().withUnboundedMailbox());
            inParallel(SENDERS, sender -> {
                for (int i = 0; i < each; i++) {
                    actor.tell(new Numbered(sender, i));
                }
            });
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(receiver.complaint).isNull();
        assertThat(receiver.handled).isEqualTo((long) SENDERS * each);
    }

    @Test
    void noWakeUpIsLostHoweverOftenTheActorGoesIdle() throws Exception {
        int rounds = 30_000;
        try (ActorSystem system = RealSystems.ofThreads("wakes", 2)) {
            CompletableFuture<Void> done = new CompletableFuture<>();
            List<ActorRef<Integer>> pair = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                int other = 1 - i;
                pair.add(system.spawn(
                        Behaviors.receive(Integer.class, (ctx, n) -> {
                            if (n == 0) {
                                done.complete(null);
                            } else {
                                pair.get(other).tell(n - 1);
                            }
                            return Behaviors.same();
                        }),
                        "p" + i));
            }
            pair.get(0).tell(rounds);
            assertThat(done).succeedsWithin(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void noWakeUpIsLostWhenTwoSendersMeetAnActorAboutToGoIdle() throws Exception {
        int rounds = 4_000;
        AtomicLong handled = new AtomicLong();
        try (ActorSystem system = RealSystems.ofThreads("meets", 2)) {
            ActorRef<Integer> actor = system.spawn(
                    Behaviors.receive(Integer.class, (ctx, message) -> {
                        handled.incrementAndGet();
                        return Behaviors.same();
                    }),
                    "actor");
            AtomicLong turn = new AtomicLong();
            inParallel(2, sender -> {
                for (int round = 0; round < rounds; round++) {
                    actor.tell(round);
                    turn.incrementAndGet();
                    long wanted = 2L * (round + 1);
                    // Both wait until the actor has caught up, so that it goes idle in every round.
                    RealSystems.await(() -> turn.get() >= wanted && handled.get() >= wanted);
                }
            });
            assertThat(handled).hasValue(2L * rounds);
        }
    }

    @Test
    void aBoundedMailboxNeverHoldsMoreThanItsBoundAndLosesNothingUncounted() throws Exception {
        int bound = 16;
        int each = 100_000;
        AtomicLong handled = new AtomicLong();
        try (ActorSystem system = RealSystems.ofThreads("bounded", 2)) {
            ActorRef<Integer> actor = system.spawn(
                    Behaviors.receive(Integer.class, (ctx, message) -> {
                        handled.incrementAndGet();
                        int waiting = ctx.system()
                                .metrics(ctx.self())
                                .map(ActorMetrics.OfActor::waiting)
                                .orElse(0);
                        if (waiting > bound) {
                            throw new IllegalStateException(waiting + " wait");
                        }
                        return Behaviors.same();
                    }),
                    "actor",
                    SpawnOptions.defaults().withMailboxCapacity(bound));
            inParallel(SENDERS, sender -> {
                for (int i = 0; i < each; i++) {
                    actor.tell(i);
                }
            });
            RealSystems.await(
                    () -> handled.get() + system.metrics().deadLetters().get(DeadLetter.Reason.MAILBOX_FULL)
                            == (long) SENDERS * each);
            assertThat(system.lookup("actor")).isPresent();
        }
    }

    @Test
    void whenAStopRacesWithSendersEveryMessageIsHandledOrADeadLetterExactlyOnce() throws Exception {
        int rounds = 60;
        int each = 500;
        try (ActorSystem system = RealSystems.ofThreads("races", 3)) {
            for (int round = 0; round < rounds; round++) {
                AtomicIntegerArray seen = new AtomicIntegerArray(SENDERS * each);
                ActorRef<DeadLetter> collector = system.spawn(
                        Behaviors.receive(DeadLetter.class, (ctx, letter) -> {
                            seen.incrementAndGet((Integer) letter.message());
                            return Behaviors.same();
                        }),
                        null,
                        SpawnOptions.defaults().withUnboundedMailbox());
                system.events().subscribe(collector, DeadLetter.class);
                int stopAt = each / 4 + round * 3;
                ActorRef<Integer> actor = system.spawn(
                        Behaviors.receive(Integer.class, (ctx, number) -> {
                            seen.incrementAndGet(number);
                            return number % each == stopAt ? Behaviors.stopped() : Behaviors.same();
                        }),
                        null,
                        SpawnOptions.defaults());
                boolean fromOutside = round % 2 == 0;
                inParallel(SENDERS, sender -> {
                    for (int i = 0; i < each; i++) {
                        actor.tell(sender * each + i);
                        if (fromOutside && sender == 0 && i == stopAt / 2) {
                            system.stop(actor);
                        }
                    }
                });
                RealSystems.await(() -> {
                    BitSet missing = new BitSet();
                    for (int i = 0; i < seen.length(); i++) {
                        missing.set(i, seen.get(i) == 0);
                    }
                    return missing.isEmpty();
                });
                for (int i = 0; i < seen.length(); i++) {
                    assertThat(seen.get(i)).isEqualTo(1);
                }
                system.events().unsubscribe(collector);
                system.stop(collector);
            }
        }
    }

    @Test
    void watchingRacesWithTheEndOnRealThreadsToo() throws Exception {
        int rounds = 2_000;
        AtomicLong heard = new AtomicLong();
        try (ActorSystem system = RealSystems.ofThreads("watches", 3)) {
            for (int round = 0; round < rounds; round++) {
                ActorRef<String> mortal = system.spawn(
                        Behaviors.receive(String.class, (ctx, m) -> Behaviors.stopped()),
                        null,
                        SpawnOptions.defaults());
                system.spawn(
                        Behaviors.<String>setup(ctx -> {
                            ctx.watch(mortal);
                            return Behaviors.receive(String.class)
                                    .on(String.class, (c, m) -> Behaviors.same())
                                    .onSignal(Terminated.class, (c, t) -> {
                                        heard.incrementAndGet();
                                        return Behaviors.same();
                                    })
                                    .build();
                        }),
                        null,
                        SpawnOptions.defaults());
                mortal.tell("die");
            }
            RealSystems.await(() -> heard.get() >= rounds);
            assertThat(heard).hasValue(rounds);
        }
    }
}

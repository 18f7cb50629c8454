package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actors that keep all threads busy for ever must not keep others from being heard, nor the system from ending. */
@Timeout(60)
class OthersGetTheirTurnTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Hits the ball back, for ever. */
    private static Behavior<ActorRef<?>> player() {
        return new Behavior<>() {
            @Override
            @SuppressWarnings("unchecked")
            public Behavior<ActorRef<?>> onMessage(ActorContext<ActorRef<?>> ctx, ActorRef<?> other) {
                ((ActorRef<ActorRef<?>>) other).tell(ctx.self());
                return this;
            }
        };
    }

    @Test
    void pairsThatKeepEachOtherGoingOnAllThreadsDoNotKeepOutWhoComesFromOutside() {
        try (ActorSystem system = RealSystems.ofThreads("pairs", 2)) {
            for (int pair = 0; pair < 2; pair++) {
                system.spawn(player()).tell(system.spawn(player()));
            }
            ActorRef<String> echo = system.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                ctx.reply(message);
                return Behaviors.same();
            }));
            for (int i = 0; i < 20; i++) {
                assertThat(echo.ask("there?", String.class, PATIENCE).join()).isEqualTo("there?");
            }
        }
    }

    @Test
    void aSystemEndsInTimeEvenIfActorsHoldAllThreads() throws Exception {
        ActorSystem system = RealSystems.with(
                "stuck",
                "muster.actor.dispatchers.default.threads = 2\n"
                        + "muster.coordinated-shutdown.phases.actor-system-terminate.timeout = 200ms");
        CountDownLatch stuck = new CountDownLatch(2);
        CountDownLatch free = new CountDownLatch(1);
        List<ActorRef<String>> actors = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            actors.add(system.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                stuck.countDown();
                free.await();
                return Behaviors.same();
            })));
        }
        actors.forEach(actor -> actor.tell("wait"));
        assertThat(stuck.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(system.terminate()).succeedsWithin(PATIENCE);
        // Whoever sends to one that was left behind is not to blame.
        actors.forEach(actor -> actor.tell("more"));
        free.countDown();
    }
}

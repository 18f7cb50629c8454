package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hundred thousand actors fail, in every way, and the rest of the system hardly notices. */
@Timeout(60)
class FaultStormTest {

    private static final int ACTORS = 100_000;

    record Fail(int number) {}

    private static final Behavior<Fail> FAILING = Behaviors.receive(Fail.class, (ctx, message) -> {
        throw new StormException();
    });

    private static final Behavior<String> HEALTHY = Behaviors.receive(String.class, (ctx, message) -> {
        ctx.reply(message);
        return Behaviors.same();
    });

    private static final class StormException extends RuntimeException {
        StormException() {
            super("storm", null, false, false);
        }
    }

    private ActorMetrics.OfType row(ActorSystem system) {
        return system.metrics().types().stream()
                .filter(row -> row.type().equals(Fail.class.getName()))
                .findFirst()
                .orElseThrow();
    }

    private static void stillAnswers(ActorSystem system, ActorRef<String> healthy) {
        assertThat(healthy.ask("hello", String.class, Duration.ofSeconds(30)))
                .succeedsWithin(30, TimeUnit.SECONDS)
                .isEqualTo("hello");
        assertThat(system.spawn(HEALTHY, null, SpawnOptions.defaults())
                        .ask("new", String.class, Duration.ofSeconds(30)))
                .succeedsWithin(30, TimeUnit.SECONDS);
    }

    private List<ActorRef<Fail>> spawn(ActorSystem system, Behavior<Fail> behavior) {
        List<ActorRef<Fail>> actors = new ArrayList<>(ACTORS);
        for (int i = 0; i < ACTORS; i++) {
            actors.add(system.spawn(behavior, null, SpawnOptions.defaults()));
        }
        return actors;
    }

    @Test
    void failingActorsThatStopLeaveTheSystemHealthy() {
        try (ActorSystem system = RealSystems.with("storm", "")) {
            ActorRef<String> healthy = system.spawn(HEALTHY, "healthy");
            List<ActorRef<Fail>> actors = spawn(system, FAILING);
            actors.forEach(actor -> {
                actor.tell(new Fail(1));
                actor.tell(new Fail(2));
            });
            stillAnswers(system, healthy);
            RealSystems.await(() -> row(system).stopped() == ACTORS);
            assertThat(row(system).failures()).isEqualTo(ACTORS);
            RealSystems.await(() -> system.metrics().deadLetters().get(DeadLetter.Reason.STOPPED) == ACTORS);
            stillAnswers(system, healthy);
        }
    }

    @Test
    void failingActorsThatRestartLeaveTheSystemHealthy() {
        try (ActorSystem system = RealSystems.with("storm", "")) {
            ActorRef<String> healthy = system.spawn(HEALTHY, "healthy");
            List<ActorRef<Fail>> actors =
                    spawn(system, Behaviors.supervise(FAILING).onFailure(Supervision.restart()));
            actors.forEach(actor -> actor.tell(new Fail(1)));
            stillAnswers(system, healthy);
            RealSystems.await(() -> row(system).restarts() == ACTORS);
            assertThat(row(system).failures()).isEqualTo(ACTORS);
            assertThat(row(system).alive()).isEqualTo(ACTORS);
            stillAnswers(system, healthy);
        }
    }

    @Test
    void failingActorsThatEscalateTakeDownTheirBranchesAndNothingElse() {
        int branches = 1_000;
        int each = ACTORS / branches;
        try (ActorSystem system = RealSystems.with("storm", "")) {
            ActorRef<String> healthy = system.spawn(HEALTHY, "healthy");
            Behavior<Fail> leaf = Behaviors.supervise(FAILING).onFailure(Supervision.escalate());
            for (int i = 0; i < branches; i++) {
                system.spawn(
                        Behaviors.<String>setup(ctx -> {
                            for (int n = 0; n < each; n++) {
                                ctx.spawn(leaf).tell(new Fail(n));
                            }
                            return HEALTHY;
                        }),
                        "branch" + i);
            }
            stillAnswers(system, healthy);
            RealSystems.await(() -> row(system).stopped() == ACTORS);
            for (int i = 0; i < branches; i++) {
                String name = "branch" + i;
                RealSystems.await(() -> system.lookup(name).isEmpty());
            }
            stillAnswers(system, healthy);
        }
    }

    @Test
    void askingWhatFailsFailsEveryQuestionAndNoneIsForgotten() {
        try (ActorSystem system = RealSystems.with("storm", "")) {
            List<CompletableFuture<String>> answers = new ArrayList<>();
            for (ActorRef<Fail> actor : spawn(system, FAILING)) {
                actor.tell(new Fail(1));
                answers.add(actor.ask(new Fail(2), String.class));
            }
            RealSystems.await(() -> answers.stream().allMatch(CompletableFuture::isCompletedExceptionally));
            assertThat(system.metrics().deadLetters().get(DeadLetter.Reason.STOPPED))
                    .isEqualTo(ACTORS);
        }
    }
}

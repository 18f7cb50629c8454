package dev.muster.actor;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * A question has one outcome: the first of reply, refusal, time-out and cancelling. What comes later is a dead letter.
 */
class AskTest {

    record Question(ActorRef<String> replyTo) {}

    private static final Behavior<String> ECHO = Behaviors.receive(String.class, (ctx, message) -> {
        ctx.reply(message);
        return Behaviors.same();
    });

    private final World world = World.ofSeed(1);

    @Test
    void theReplyCompletesTheFuture() {
        World.forSeeds(20, w -> {
            CompletableFuture<String> answer = w.spawn(ECHO).ask("hello", String.class);
            assertThat(answer).isNotDone();
            w.run();
            assertThat(answer).isCompletedWithValue("hello");
        });
    }

    @Test
    void theMessageMayCarryTheAddressForTheReply() {
        ActorRef<Question> actor = world.spawn(Behaviors.receive(Question.class, (ctx, question) -> {
            question.replyTo().tell("by the message");
            return Behaviors.same();
        }));
        CompletableFuture<String> answer = actor.ask(Question::new, ofSeconds(1));
        world.run();
        assertThat(answer).isCompletedWithValue("by the message");
    }

    @Test
    void whoStillWaitsWhenItsSystemIsClosedLearnsThat() {
        ActorSystem system = RealSystems.ofThreads("closing", 1);
        CompletableFuture<String> answer =
                system.spawn(Behaviors.<String>ignore(), "mute").ask("hello", String.class, ofSeconds(60));
        system.close();
        assertThat(answer)
                .failsWithin(ofSeconds(20))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(AskTimeoutException.class)
                .withMessage("the actor system closing was closed before muster://closing/user/mute replied");
    }

    @Test
    void withoutAReplyItFailsWhenItsTimeIsUpAndNotBefore() {
        CompletableFuture<String> answer =
                world.spawn(Behaviors.<String>ignore(), "mute").ask("hello", String.class, ofSeconds(3));
        world.pass(ofSeconds(3).minusNanos(1));
        assertThat(answer).isNotDone();
        world.pass(Duration.ofNanos(1));
        assertThat(answer)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(AskTimeoutException.class)
                .withMessageContaining("/user/mute")
                .withMessageContaining("PT3S");
    }

    @Test
    void theDefaultTimeoutIsTheSettings() {
        CompletableFuture<String> answer =
                world.spawn(Behaviors.<String>ignore()).ask("hello", String.class);
        world.pass(world.system.settings().askTimeout().minusMillis(1));
        assertThat(answer).isNotDone();
        world.pass(ofMillis(1));
        assertThat(answer).isCompletedExceptionally();
    }

    @Test
    void aLateReplyIsADeadLetter() {
        AtomicReference<ActorRef<Object>> waiting = new AtomicReference<>();
        ActorRef<String> slow = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
            waiting.set(ctx.replyTo());
            return Behaviors.same();
        }));
        Probe<DeadLetter> letters = world.events(DeadLetter.class);
        CompletableFuture<String> answer = slow.ask("hello", String.class, ofSeconds(1));
        world.pass(ofSeconds(2));
        waiting.get().tell("late");
        world.run();
        assertThat(answer).isCompletedExceptionally();
        assertThat(letters.heard(DeadLetter.class)).singleElement().satisfies(letter -> {
            assertThat(letter.message()).isEqualTo("late");
            assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.LATE_REPLY);
        });
    }

    @Test
    void aSecondReplyIsADeadLetter() {
        ActorRef<String> eager = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
            ctx.reply("first");
            ctx.reply("second");
            return Behaviors.same();
        }));
        CompletableFuture<String> answer = eager.ask("hello", String.class);
        world.run();
        assertThat(answer).isCompletedWithValue("first");
        assertThat(world.deadLetters(DeadLetter.Reason.LATE_REPLY)).isEqualTo(1);
    }

    @Test
    void aReplyOfAnotherTypeIsAFailureThatNamesBoth() {
        CompletableFuture<Integer> answer = world.spawn(ECHO, "echo").ask("hello", Integer.class);
        world.run();
        assertThatThrownBy(answer::join)
                .hasCauseInstanceOf(UnexpectedReplyException.class)
                .hasMessageContaining("java.lang.Integer")
                .hasMessageContaining("java.lang.String")
                .hasMessageContaining("/user/echo");
    }

    @Test
    void askingAStoppedActorFailsAtOnce() {
        ActorRef<String> actor = world.spawn(ECHO);
        world.system.stop(actor);
        world.run();
        CompletableFuture<String> answer = actor.ask("hello", String.class);
        world.run();
        assertThatThrownBy(answer::join)
                .hasCauseInstanceOf(NotDeliveredException.class)
                .hasMessageContaining("STOPPED");
    }

    @Test
    void whoIsStillWaitingInTheMailboxOfAStoppedActorIsTold() {
        World.forSeeds(20, w -> {
            ActorRef<String> actor = w.spawn(Behaviors.receive(String.class, (ctx, message) -> Behaviors.stopped()));
            actor.tell("stop");
            CompletableFuture<String> answer = actor.ask("hello", String.class);
            w.run();
            assertThat(answer).isCompletedExceptionally();
            assertThat(w.environment.elapsed()).isZero();
        });
    }

    @Test
    void aFullMailboxRefusesTheQuestion() {
        ActorRef<String> actor =
                world.system.spawn(ECHO, "small", SpawnOptions.defaults().withMailboxCapacity(1));
        actor.tell("fills it");
        CompletableFuture<String> answer = actor.ask("hello", String.class);
        world.run();
        assertThatThrownBy(answer::join).hasMessageContaining("MAILBOX_FULL");
    }

    @Test
    void cancellingGivesUpTheWait() {
        CompletableFuture<String> answer = world.spawn(ECHO).ask("hello", String.class);
        assertThat(answer.cancel(true)).isTrue();
        world.run();
        assertThat(answer).isCancelled();
        assertThat(world.deadLetters(DeadLetter.Reason.LATE_REPLY)).isEqualTo(1);
    }

    @Test
    void answeredAndCancelledQuestionsLeaveNoTimerBehind() {
        ActorRef<String> echo = world.spawn(ECHO);
        List<CompletableFuture<String>> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            answers.add(echo.ask("hello", String.class, ofSeconds(60)));
        }
        answers.get(0).cancel(true);
        world.run();
        // With no timer left there is nothing that could take time.
        assertThat(world.environment.runUntil(() -> false, ofSeconds(100))).isFalse();
        long before = world.environment.steps();
        world.pass(ofSeconds(100));
        assertThat(world.environment.steps()).isEqualTo(before);
        assertThat(answers.subList(1, 100)).allMatch(CompletableFuture::isDone);
    }

    @Test
    void callbacksRunOnTheDispatcherAndNotInTheTurnOfWhoReplies() {
        List<String> order = new ArrayList<>();
        ActorRef<String> actor = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
            ctx.reply("reply");
            order.add("end of the turn");
            return Behaviors.same();
        }));
        CompletableFuture<Boolean> after = actor.ask("hello", String.class).thenApply(reply -> order.add("callback"));
        world.run();
        assertThat(after).isCompletedWithValue(true);
        assertThat(order).containsExactly("end of the turn", "callback");
    }

    @Test
    void aReplyThatNobodyAskedForIsADeadLetter() {
        world.spawn(ECHO).tell("no need to answer");
        world.run();
        assertThat(world.deadLetters(DeadLetter.Reason.NO_REPLY_EXPECTED)).isEqualTo(1);
    }

    @Test
    void aReplyTargetTravelsWithAForwardedMessage() {
        ActorRef<String> echo = world.spawn(ECHO);
        ActorRef<String> relay = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
            assertThat(ctx.expectsReply()).isTrue();
            echo.tell(message, ctx.replyTo());
            return Behaviors.same();
        }));
        CompletableFuture<String> answer = relay.ask("over two", String.class);
        world.run();
        assertThat(answer).isCompletedWithValue("over two");
    }

    @Test
    void anActorAsksAnotherAndGetsWhatComesOfItAsAMessage() {
        World.forSeeds(20, w -> {
            ActorRef<String> echo = w.spawn(ECHO);
            ActorRef<String> mute = w.spawn(Behaviors.ignore());
            List<String> heard = new ArrayList<>();
            w.spawn(Behaviors.<String>setup(ctx -> {
                ctx.ask(echo, "hi", String.class, ofSeconds(1), (reply, failure) -> "reply " + reply);
                ctx.ask(
                        mute,
                        "hi",
                        String.class,
                        ofSeconds(1),
                        (reply, failure) -> failure.getClass().getSimpleName());
                return Behaviors.receive(String.class, (c, message) -> {
                    heard.add(message);
                    return Behaviors.same();
                });
            }));
            w.pass(ofSeconds(2));
            assertThat(heard).containsExactly("reply hi", "AskTimeoutException");
        });
    }

    @Test
    void aTimeoutMustBePositive() {
        ActorRef<String> echo = world.spawn(ECHO);
        assertThatThrownBy(() -> echo.ask("hello", String.class, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT0S");
    }

    @Test
    void aQuestionThatIsNotHandledFailsAtOnce() {
        World world = World.ofSeed(1);
        ActorRef<String> deaf = world.spawn(Behaviors.receive(String.class, (ctx, message) -> Behaviors.unhandled()));
        CompletableFuture<String> answer = deaf.ask("hello", String.class);
        world.run();
        assertThat(answer).isCompletedExceptionally();
        assertThat(answer.handle((reply, failure) -> failure).join())
                .isInstanceOf(NotDeliveredException.class)
                .hasMessageContaining("UNHANDLED");
    }

    @Test
    void theReplyToAnActorComesBeforeTheEndOfTheOneThatGaveIt() {
        World.forSeeds(30, world -> {
            List<String> order = new ArrayList<>();
            ActorRef<String> brief = world.spawn(Behaviors.receive(String.class, (ctx, message) -> {
                ctx.reply("last words");
                return Behaviors.stopped();
            }));
            world.spawn(Behaviors.<String>setup(ctx -> {
                ctx.watchWith(brief, "it ended");
                ctx.ask(brief, "say", String.class, Duration.ofSeconds(1), (reply, failure) -> reply);
                return Behaviors.receive(String.class, (c, message) -> {
                    order.add(message);
                    return Behaviors.same();
                });
            }));
            world.run();
            assertThat(order).containsExactly("last words", "it ended");
        });
    }
}

package dev.muster.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.actor.ActorRef;
import dev.muster.actor.AskTimeoutException;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.DeadLetter;
import dev.muster.actor.UnhandledMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ActorTestKitTest {

    private static final long SEED = 77;

    private final ActorTestKit kit = ActorTestKit.create(SEED);

    @AfterEach
    void close() {
        kit.close();
    }

    @Test
    void aProbeReceivesInOrderWhatItIsSent() {
        TestProbe<String> probe = kit.probe(String.class);
        ActorRef<String> echo = kit.spawn(twice(probe.ref()));

        echo.tell("a");
        echo.tell("b");

        probe.expectMessage("a");
        assertThat(probe.receive()).isEqualTo("a");
        assertThat(probe.expectMessageClass(String.class)).isEqualTo("b");
        probe.expectMessage("b");
        probe.expectNoMessage(Duration.ofDays(1));
    }

    @Test
    void waitingTakesVirtualTimeOnly() {
        TestProbe<String> probe = kit.probe(String.class);
        kit.system().scheduleOnce(Duration.ofSeconds(2), probe.ref(), "late");

        probe.expectNoMessage(Duration.ofMillis(1999));
        probe.expectMessage("late");

        assertThat(kit.elapsed()).isEqualTo(Duration.ofSeconds(2));
        kit.advance(Duration.ofDays(365));
        assertThat(kit.elapsed()).isEqualTo(Duration.ofDays(365).plusSeconds(2));
    }

    @Test
    void nothingRunsByItself() {
        TestProbe<String> probe = kit.probe(String.class);
        kit.spawn(twice(probe.ref())).tell("a");

        assertThat(probe.unread()).isEmpty();
        kit.runUntilIdle();
        assertThat(probe.unread()).containsExactly("a", "a");
    }

    @Test
    void aMissingMessageSaysWhatCameBeforeAndWhichSeed() {
        TestProbe<String> probe = kit.probe(String.class, "reader");
        probe.ref().tell("first");
        probe.expectMessage("first");

        assertThatThrownBy(() -> probe.expectMessage("second"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("reader expected second, but nothing came within PT3S")
                .hasMessageContaining("received before: [first]")
                .hasMessageContaining("seed 77");
    }

    @Test
    void anotherMessageSaysWhatCameInstead() {
        TestProbe<Object> probe = kit.probe(Object.class, "reader");
        for (Object each : List.of(1, 2L, "3")) {
            probe.ref().tell(each);
        }

        assertThatThrownBy(() -> probe.expectMessage(5))
                .hasMessageContaining("reader expected 5, but received 1 of type java.lang.Integer")
                .hasMessageContaining("received after it: [2, 3]");
        assertThatThrownBy(() -> probe.expectMessageClass(Integer.class))
                .hasMessageContaining("expected a java.lang.Integer, but received 2 of type java.lang.Long");
        assertThatThrownBy(() -> probe.expectNoMessage(Duration.ofSeconds(1)))
                .hasMessageContaining("reader expected no message for PT1S, but received [3]");
    }

    @Test
    void aReplyOfAnotherTypeIsNotReceivedAsOneOfTheProbe() {
        TestProbe<Integer> probe = kit.probe(Integer.class);
        kit.spawn(lengthOrText()).tell("", probe.ref());

        assertThatThrownBy(probe::receive)
                .hasMessageContaining("expected a java.lang.Integer, but received empty of type java.lang.String");
    }

    @Test
    void anEndIsExpectedBeforeAndAfterItHappened() {
        TestProbe<String> probe = kit.probe(String.class);
        ActorRef<String> actor = kit.spawn(Behaviors.receive(String.class, (ctx, text) -> Behaviors.stopped()));

        assertThatThrownBy(() -> probe.expectTerminated(actor)).hasMessageContaining("but it still lives after PT3S");
        actor.tell("stop");
        probe.expectTerminated(actor);
        kit.probe(String.class).expectTerminated(actor);
    }

    @Test
    void anAskIsDrivenToItsReply() {
        ActorRef<String> actor = kit.spawn(lengthOrText());

        assertThat(kit.ask(actor, "four", Integer.class)).isEqualTo(4);
        assertThatThrownBy(() -> kit.ask(actor, "", Integer.class))
                .hasMessageContaining("the future failed")
                .hasMessageContaining("seed 77");
    }

    @Test
    void anAskWithoutReplyFailsAfterItsTime() {
        ActorRef<String> silent = kit.spawn(Behaviors.ignore());

        assertThatThrownBy(() -> kit.ask(silent, "?", String.class)).hasCauseInstanceOf(AskTimeoutException.class);
        assertThat(kit.elapsed()).isEqualTo(ActorTestKit.PATIENCE);
        assertThatThrownBy(() -> kit.await(new CompletableFuture<>(), Duration.ofSeconds(9)))
                .hasMessageContaining("did not complete within PT9S");
    }

    @Test
    void aQuestionThatCarriesItsReplyAddressIsDrivenToo() {
        record Get(ActorRef<String> replyTo) {}
        ActorRef<Get> actor = kit.spawn(Behaviors.receive(Get.class, (ctx, get) -> {
            get.replyTo().tell("got");
            return Behaviors.same();
        }));

        String got = kit.<Get, String>ask(actor, Get::new);
        assertThat(got).isEqualTo("got");
    }

    @Test
    void lostMessagesAreCollectedAndNamedByFailures() {
        ActorRef<String> gone = kit.spawn(Behaviors.stopped(), "gone");
        ActorRef<String> deaf = kit.spawn(Behaviors.empty(), "deaf");
        kit.runUntilIdle();

        gone.tell("to nobody");
        deaf.tell("to a wall");
        kit.runUntilIdle();

        assertThat(kit.deadLetters()).extracting(DeadLetter::message).containsExactly("to nobody");
        assertThat(kit.unhandled()).extracting(UnhandledMessage::message).containsExactly("to a wall");
        TestProbe<String> probe = kit.probe(String.class);
        assertThatThrownBy(probe::receive).hasMessageContaining("to nobody").hasMessageContaining("to a wall");
    }

    @Test
    void actorsThatNeverRestAreNoticed() {
        ActorRef<String> busy = kit.spawn(Behaviors.receive(String.class, (ctx, text) -> {
            ctx.self().tell(text);
            return Behaviors.same();
        }));
        busy.tell("again");

        assertThatThrownBy(kit::runUntilIdle).hasMessageContaining("do not come to rest");
        assertThatThrownBy(() -> kit.advance(Duration.ofMillis(1))).hasMessageContaining("do not come to rest");
    }

    @Test
    void withoutASeedEveryKitHasTheSame() {
        try (ActorTestKit one = ActorTestKit.create()) {
            assertThat(one.seed()).isEqualTo(ActorTestKit.DEFAULT_SEED);
        }
    }

    private static Behavior<String> twice(ActorRef<String> target) {
        return Behaviors.receive(String.class, (ctx, text) -> {
            target.tell(text);
            target.tell(text);
            return Behaviors.same();
        });
    }

    private static Behavior<String> lengthOrText() {
        return Behaviors.receive(String.class, (ctx, text) -> {
            ctx.reply(text.isEmpty() ? "empty" : text.length());
            return Behaviors.same();
        });
    }
}

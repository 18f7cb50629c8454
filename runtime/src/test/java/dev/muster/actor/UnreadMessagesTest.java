package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.actor.engine.InternalRef;
import dev.muster.actor.engine.Unread;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What comes from other nodes is read by its recipient, and is then a message like any other. */
class UnreadMessagesTest {
    private final World world = World.ofSeed(1);
    private final List<Object> handled = new ArrayList<>();
    private final List<Object> read = new ArrayList<>();

    private Unread unread(Object message) {
        return () -> {
            read.add(message);
            return message;
        };
    }

    private InternalRef<Object> collecting(int capacity) {
        return (InternalRef<Object>) world.system.spawn(
                Behaviors.receive(Object.class, (ctx, message) -> {
                    handled.add(message);
                    return message.equals("stop") ? Behaviors.stopped() : Behaviors.same();
                }),
                "collecting",
                SpawnOptions.defaults().withMailboxCapacity(capacity));
    }

    @Test
    void itIsReadInItsTurnAndInOrderWithOthers() {
        InternalRef<Object> actor = collecting(100);
        actor.tell("first");
        assertThat(actor.tellUnread(unread("second"), null)).isTrue();
        actor.tell("third");
        assertThat(read).as("before its turn").isEmpty();

        world.run();

        assertThat(handled).containsExactly("first", "second", "third");
        assertThat(read).containsExactly("second");
    }

    @Test
    void theReplyGoesToWhoeverSentIt() {
        Probe<Object> probe = world.probe();
        InternalRef<Object> echo =
                (InternalRef<Object>) world.<Object>spawn(Behaviors.receive(Object.class, (ctx, message) -> {
                    ctx.reply(message);
                    return Behaviors.same();
                }));

        assertThat(echo.tellUnread(unread("hello"), probe.ref())).isTrue();
        world.run();

        assertThat(probe.heard()).containsExactly("hello");
    }

    @Test
    void whatCannotBeReadIsPassedOver() {
        InternalRef<Object> actor = collecting(100);
        assertThat(actor.tellUnread(() -> null, null)).isTrue();
        actor.tell("next");

        world.run();

        assertThat(handled).containsExactly("next");
    }

    @Test
    void whatWaitsWhenTheActorStopsBecomesADeadLetter() {
        Probe<DeadLetter> letters = world.events(DeadLetter.class);
        InternalRef<Object> actor = collecting(100);
        actor.tell("stop");
        assertThat(actor.tellUnread(unread("late"), null)).isTrue();
        assertThat(actor.tellUnread(() -> null, null)).isTrue();

        world.run();

        assertThat(handled).containsExactly("stop");
        assertThat(letters.heard()).containsExactly(new DeadLetter("late", actor.path(), DeadLetter.Reason.STOPPED));
    }

    @Test
    void aFullMailboxAndAStoppedActorTakeNoneAndNothingHappens() {
        InternalRef<Object> actor = collecting(1);
        actor.tell("one");
        assertThat(actor.tellUnread(unread("too many"), null)).isFalse();
        world.run();
        actor.tell("stop");
        world.run();

        assertThat(actor.tellUnread(unread("too late"), null)).isFalse();
        world.run();

        assertThat(read).isEmpty();
        assertThat(world.deadLetters(DeadLetter.Reason.MAILBOX_FULL)).isZero();
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isZero();
    }

    @Test
    void whoeverIsNoActorTakesNone() {
        assertThat(((InternalRef<?>) world.system.deadLetters()).tellUnread(unread("hello"), null))
                .isFalse();
    }
}

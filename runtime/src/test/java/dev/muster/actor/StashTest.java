package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Messages put aside come back in order, before anything newer, with those who wait for their replies. */
class StashTest {

    private final List<String> handled = new ArrayList<>();

    private Behavior<String> closedDoor(int capacity) {
        return Behaviors.withStash(
                capacity,
                stash -> Behaviors.receive(String.class, (ctx, message) -> {
                    if (message.equals("open")) {
                        return stash.unstashAll(openDoor());
                    }
                    stash.stash(message);
                    return Behaviors.same();
                }));
    }

    private Behavior<String> openDoor() {
        return Behaviors.receive(String.class, (ctx, message) -> {
            handled.add(message);
            ctx.reply("handled " + message);
            return Behaviors.same();
        });
    }

    @Test
    void whatWasPutAsideComesBackInOrderBeforeAnythingNewer() {
        World.forSeeds(30, world -> {
            handled.clear();
            ActorRef<String> door = world.spawn(closedDoor(10));
            for (String message : List.of("a", "b", "c", "open", "d", "e")) {
                door.tell(message);
            }
            world.run();
            assertThat(handled).containsExactly("a", "b", "c", "d", "e");
        });
    }

    @Test
    void aStashedQuestionIsAnsweredLater() {
        World world = World.ofSeed(1);
        ActorRef<String> door = world.spawn(closedDoor(10));
        CompletableFuture<String> answer = door.ask("a", String.class);
        world.run();
        assertThat(answer).isNotDone();
        door.tell("open");
        world.run();
        assertThat(answer).isCompletedWithValue("handled a");
    }

    @Test
    void whatIsStashedAgainWhileComingBackKeepsItsPlace() {
        World world = World.ofSeed(1);
        ActorRef<String> actor = world.spawn(Behaviors.withStash(10, stash -> {
            int[] opened = {0};
            return Behaviors.receive(String.class, (ctx, message) -> {
                if (message.equals("open")) {
                    opened[0]++;
                    return stash.unstashAll(Behaviors.same());
                }
                if (opened[0] < 2) {
                    stash.stash(message);
                } else {
                    handled.add(message);
                }
                return Behaviors.same();
            });
        }));
        for (String message : List.of("a", "b", "open", "c", "open", "d")) {
            actor.tell(message);
        }
        world.run();
        assertThat(handled).containsExactly("a", "b", "c", "d");
    }

    @Test
    void aFullStashFailsTheActor() {
        World world = World.ofSeed(1);
        ActorRef<String> door = world.spawn(closedDoor(2));
        try (LogLines log = LogLines.ofSystem(world.system)) {
            for (String message : List.of("a", "b", "c")) {
                door.tell(message);
            }
            world.run();
            assertThat(log.events())
                    .anySatisfy(event -> assertThat(event.getThrowableProxy().getClassName())
                            .isEqualTo(StashOverflowException.class.getName()));
        }
        // The two that were put aside are not lost without a word.
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(2);
    }

    @Test
    void sizeAndCapacityAreKnown() {
        World world = World.ofSeed(1);
        ActorRef<String> actor = world.spawn(Behaviors.withStash(2, stash -> {
            assertThat(stash.isEmpty()).isTrue();
            assertThat(stash.capacity()).isEqualTo(2);
            return Behaviors.receive(String.class, (ctx, message) -> {
                stash.stash(message);
                handled.add(stash.size() + " " + stash.isFull());
                return Behaviors.same();
            });
        }));
        actor.tell("a");
        actor.tell("b");
        world.run();
        assertThat(handled).containsExactly("1 false", "2 true");
        assertThatThrownBy(() -> closedDoor(0)).hasMessageContaining("positive");
    }

    @Test
    void aStashThatOutlivesARestartStillLosesNothing() {
        World world = World.ofSeed(1);
        Probe<DeadLetter> letters = world.events(DeadLetter.class);
        ActorRef<String> actor = world.spawn(Behaviors.<String>withStash(
                10,
                stash -> Behaviors.supervise(Behaviors.receive(String.class, (ctx, message) -> {
                            if (message.equals("fail")) {
                                throw new IllegalStateException("fails");
                            }
                            if (message.equals("stop")) {
                                return Behaviors.<String>stopped();
                            }
                            stash.stash(message);
                            return Behaviors.same();
                        }))
                        .onFailure(Supervision.restart())));
        actor.tell("fail");
        actor.tell("kept");
        actor.tell("stop");
        world.run();
        assertThat(letters.heard(DeadLetter.class))
                .extracting(DeadLetter::message)
                .containsExactly("kept");
    }
}

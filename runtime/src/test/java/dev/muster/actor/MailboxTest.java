package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Messages of one sender stay in order; a bound is a bound; what the system has to say goes first. */
class MailboxTest {

    record Numbered(int sender, int number) {}

    @Test
    void messagesOfOneSenderArriveInTheOrderTheyWereSent() {
        World.forSeeds(50, world -> {
            Probe<Numbered> probe = world.probe();
            for (int s = 0; s < 5; s++) {
                int sender = s;
                world.spawn(Behaviors.<String>setup(ctx -> {
                    ctx.self().tell("0");
                    return Behaviors.receive(String.class, (c, message) -> {
                        int number = Integer.parseInt(message);
                        probe.ref().tell(new Numbered(sender, number));
                        if (number < 20) {
                            c.self().tell(String.valueOf(number + 1));
                        }
                        return Behaviors.same();
                    });
                }));
            }
            world.run();
            for (int s = 0; s < 5; s++) {
                int sender = s;
                assertThat(probe.heard(Numbered.class).stream()
                                .filter(message -> message.sender() == sender)
                                .map(Numbered::number))
                        .containsExactlyElementsOf(
                                IntStream.rangeClosed(0, 20).boxed().toList());
            }
        });
    }

    @Test
    void differentSeedsBringDifferentOrdersAndTheSameSeedTheSame() {
        List<List<Object>> orders = new ArrayList<>();
        for (long seed : new long[] {1, 1, 2, 3, 4}) {
            World world = World.ofSeed(seed);
            Probe<Integer> probe = world.probe();
            for (int i = 0; i < 8; i++) {
                int number = i;
                world.spawn(Behaviors.<String>setup(ctx -> {
                    probe.ref().tell(number);
                    return Behaviors.ignore();
                }));
            }
            world.run();
            orders.add(probe.heard());
        }
        assertThat(orders.get(0)).isEqualTo(orders.get(1));
        assertThat(orders.stream().distinct().count()).isGreaterThan(2);
    }

    @Test
    void aBoundedMailboxTakesSoManyAndTheRestAreDeadLettersWithTheReason() {
        World.forSeeds(10, world -> {
            Probe<DeadLetter> letters = world.events(DeadLetter.class);
            List<Integer> handled = new ArrayList<>();
            ActorRef<Integer> actor = world.system.spawn(
                    Behaviors.receive(Integer.class, (ctx, message) -> {
                        handled.add(message);
                        return Behaviors.same();
                    }),
                    "bounded",
                    SpawnOptions.defaults().withMailboxCapacity(3));
            IntStream.range(0, 5).forEach(actor::tell);
            world.run();
            assertThat(handled).containsExactly(0, 1, 2);
            assertThat(letters.heard(DeadLetter.class)).allSatisfy(letter -> {
                assertThat(letter.reason()).isEqualTo(DeadLetter.Reason.MAILBOX_FULL);
                assertThat(letter.recipient().local()).isEqualTo("/user/bounded");
            });
            assertThat(letters.heard(DeadLetter.class))
                    .extracting(DeadLetter::message)
                    .containsExactly(3, 4);
            assertThat(world.deadLetters(DeadLetter.Reason.MAILBOX_FULL)).isEqualTo(2);
            actor.tell(5);
            world.run();
            assertThat(handled).endsWith(5);
        });
    }

    @Test
    void messagesTakenButNotYetReadCountAgainstTheBound() {
        World.forSeeds(20, world -> {
            ActorRef<Integer> actor = world.system.spawn(
                    Behaviors.receive(Integer.class, (ctx, message) -> Behaviors.same()),
                    "bounded",
                    SpawnOptions.defaults().withMailboxCapacity(4));
            int sent = 0;
            for (int i = 0; i < 200; i++) {
                actor.tell(sent++);
                assertThat(world.system.metrics(actor).orElseThrow().waiting()).isLessThanOrEqualTo(4);
                if (i % 3 == 0) {
                    world.environment.step();
                }
            }
            world.run();
            assertThat(world.system.metrics(actor).orElseThrow().messages()
                            + world.deadLetters(DeadLetter.Reason.MAILBOX_FULL))
                    .isEqualTo(sent);
        });
    }

    @Test
    void topLevelActorsAreBoundedByTheSettingsAndChildrenAreNot() {
        ActorSettings defaults = ActorSettings.defaults();
        ActorSettings small = new ActorSettings(
                defaults.askTimeout(), 2, 0, defaults.logDeadLettersInterval(), defaults.phaseTimeouts());
        World world = new World(1, small);
        List<ActorRef<Integer>> child = new ArrayList<>();
        ActorRef<Integer> top = world.spawn(Behaviors.setup(ctx -> {
            child.add(ctx.spawn(Behaviors.<Integer>ignore()));
            return Behaviors.ignore();
        }));
        world.run();
        IntStream.range(0, 5).forEach(top::tell);
        IntStream.range(0, 5).forEach(child.get(0)::tell);
        assertThat(world.deadLetters(DeadLetter.Reason.MAILBOX_FULL)).isEqualTo(3);
    }

    @Test
    void stopGoesBeforeTheMessagesThatWait() {
        World.forSeeds(20, world -> {
            List<Integer> handled = new ArrayList<>();
            ActorRef<Integer> actor = world.spawn(Behaviors.receive(Integer.class, (ctx, message) -> {
                handled.add(message);
                return Behaviors.same();
            }));
            IntStream.range(0, 10).forEach(actor::tell);
            world.system.stop(actor);
            world.run();
            assertThat(handled).isEmpty();
            assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(10);
        });
    }

    @Test
    void aTurnIsShortSoThatABusyActorDoesNotKeepOthersWaiting() {
        World.forSeeds(20, world -> {
            ActorRef<Integer> greedy = world.spawn(Behaviors.receive(Integer.class, (ctx, message) -> {
                ctx.self().tell(message + 1);
                return Behaviors.same();
            }));
            greedy.tell(0);
            Probe<String> patient = world.probe();
            patient.ref().tell("hello");
            for (int i = 0; i < 1_000 && patient.heard().isEmpty(); i++) {
                world.environment.step();
            }
            assertThat(patient.heard()).containsExactly("hello");
        });
    }

    @Test
    void aFloodIsReadInOrder() {
        World world = World.ofSeed(3);
        Probe<Integer> probe = world.probe();
        for (int round = 0; round < 3; round++) {
            probe.heard().clear();
            IntStream.range(0, 50_000).forEach(probe.ref()::tell);
            world.run();
            assertThat(probe.heard())
                    .isEqualTo(IntStream.range(0, 50_000).boxed().toList());
        }
    }

    @Test
    void capacitiesMustBePositive() {
        assertThatThrownBy(() -> SpawnOptions.defaults().withMailboxCapacity(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
        assertThat(SpawnOptions.defaults().withUnboundedMailbox().mailboxCapacity())
                .isEqualTo(SpawnOptions.UNBOUNDED);
    }
}

package dev.muster.actor;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** No message vanishes without a trace: it is handled, or it is counted, published, and logged while such are few. */
class DeadLettersTest {

    private final World world = World.ofSeed(1);

    private ActorRef<Object> stopped() {
        ActorRef<Object> actor = world.spawn(Behaviors.ignore(), "late");
        world.system.stop(actor);
        world.run();
        return actor;
    }

    @Test
    void whatIsSentToAStoppedActorIsCountedAndPublished() {
        ActorRef<Object> late = stopped();
        Probe<DeadLetter> letters = world.events(DeadLetter.class);
        late.tell("hello");
        world.run();
        assertThat(letters.heard()).containsExactly(new DeadLetter("hello", late.path(), DeadLetter.Reason.STOPPED));
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
    }

    @Test
    void soIsWhatIsSentToDeadLettersDirectly() {
        world.system.deadLetters().tell("to nobody");
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(1);
        assertThat(world.system.deadLetters().path().local()).isEqualTo("/deadLetters");
    }

    @Test
    void theLogNamesTheTypeButNotTheMessageAndFallsSilentInAFlood() {
        ActorRef<Object> late = stopped();
        try (LogLines log = LogLines.ofSystem(world.system)) {
            for (int i = 0; i < 100; i++) {
                late.tell("a secret");
            }
            assertThat(log.lines())
                    .hasSize(10)
                    .allSatisfy(line -> assertThat(line)
                            .contains("java.lang.String")
                            .contains("/user/late")
                            .contains("STOPPED")
                            .doesNotContain("secret"));
            assertThat(log.lines().get(9)).contains("no more of these");
            world.pass(ofMinutes(5));
            late.tell("again");
            assertThat(log.lines().subList(10, 12))
                    .satisfiesExactly(
                            first -> assertThat(first).contains("left out 90"),
                            second -> assertThat(second).contains("/user/late"));
        }
        assertThat(world.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(101);
    }

    @Test
    void zeroLogsNone() {
        ActorSettings defaults = ActorSettings.defaults();
        World quiet = new World(
                1,
                new ActorSettings(
                        defaults.askTimeout(), 10, 0, defaults.logDeadLettersInterval(), defaults.phaseTimeouts()));
        try (LogLines log = LogLines.ofSystem(quiet.system)) {
            quiet.system.deadLetters().tell("x");
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void unhandledMessagesAreCountedPublishedAndLoggedRarely() {
        Probe<UnhandledMessage> unhandled = world.events(UnhandledMessage.class);
        ActorRef<Object> deaf = world.spawn(Behaviors.empty(), "deaf");
        try (LogLines log = LogLines.ofSystem(world.system)) {
            for (int i = 0; i < 30; i++) {
                deaf.tell(i);
            }
            world.run();
            assertThat(log.lines()).hasSize(10).first().asString().contains("/user/deaf did not handle");
        }
        assertThat(unhandled.heard()).hasSize(30).first().isEqualTo(new UnhandledMessage(0, deaf));
        assertThat(world.system.metrics().unhandled()).isEqualTo(30);
    }

    @Test
    void aSubscriberThatDoesNotHandleWhatIsUnhandledDoesNotStartAnEndlessChain() {
        ActorRef<Object> deaf = world.spawn(Behaviors.empty());
        world.system.events().subscribe(deaf, Object.class);
        world.system.deadLetters().tell("x");
        for (int i = 0; i < 1_000 && world.environment.step(); i++) {
            // Let it go on as long as it wants to.
        }
        assertThat(world.environment.step()).as("it never comes to rest").isFalse();
        assertThat(world.system.metrics().unhandled()).isLessThan(5);
    }

    @Test
    @SuppressWarnings("unchecked")
    void whatTheProtocolDoesNotKnowIsUnhandled() {
        ActorRef<String> strings = world.spawn(Behaviors.receive(String.class, (ctx, message) -> Behaviors.same()));
        ActorRef<String> table = world.spawn(Behaviors.receive(String.class)
                .on(String.class, (ctx, message) -> Behaviors.same())
                .build());
        for (ActorRef<String> actor : List.of(strings, table)) {
            ((ActorRef<Object>) (ActorRef<?>) actor).tell(1);
        }
        world.run();
        assertThat(world.system.metrics().unhandled()).isEqualTo(2);
    }

    @Test
    void everyMessageIsHandledOrADeadLetterHoweverTheStopFallsBetween() {
        World.forSeeds(100, w -> {
            int[] handled = {0};
            ActorRef<Integer> actor = w.spawn(Behaviors.receive(Integer.class, (ctx, message) -> {
                handled[0]++;
                return message == 7 ? Behaviors.stopped() : Behaviors.same();
            }));
            for (int i = 0; i < 4; i++) {
                w.spawn(Behaviors.<Integer>setup(ctx -> {
                    for (int n = 0; n < 5; n++) {
                        actor.tell(n);
                    }
                    ctx.self().tell(0);
                    return Behaviors.receive(Integer.class, (c, message) -> {
                        actor.tell(7);
                        return Behaviors.stopped();
                    });
                }));
            }
            w.run();
            assertThat(handled[0] + w.deadLetters(DeadLetter.Reason.STOPPED)).isEqualTo(24);
        });
    }
}

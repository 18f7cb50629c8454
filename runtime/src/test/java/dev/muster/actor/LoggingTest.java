package dev.muster.actor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** An actor's log lines say whose they are, and nobody else's do. */
class LoggingTest {

    record Speak(String text) {}

    private static final Behavior<Speak> SPEAKER = Behaviors.setup(ctx -> Behaviors.receive(Speak.class, (c, m) -> {
        c.log().info("{}", m.text());
        return Behaviors.same();
    }));

    @Test
    void linesOfAnActorCarryItsPathAndItsSystem() {
        World world = World.ofSeed(1);
        try (LogLines log = new LogLines(Speak.class.getName())) {
            ActorRef<Speak> one = world.spawn(SPEAKER, "one");
            ActorRef<Speak> two = world.spawn(SPEAKER, "two");
            one.tell(new Speak("I am one"));
            two.tell(new Speak("I am two"));
            world.run();
            assertThat(log.events())
                    .hasSize(2)
                    .allSatisfy(event -> assertThat(event.getMDCPropertyMap())
                            .containsEntry("actorSystem", "world")
                            .containsEntry(
                                    "actorPath",
                                    "muster://world/user/"
                                            + event.getFormattedMessage().substring(5)));
        }
        assertThat(MDC.get("actorPath")).isNull();
        assertThat(MDC.get("actorSystem")).isNull();
    }

    @Test
    void aFailureIsLoggedWithItsPathItsCauseAndWhatFollows() {
        World world = World.ofSeed(1);
        try (LogLines log = LogLines.ofSystem(world.system)) {
            world.spawn(
                            Behaviors.<Speak>supervise(Behaviors.receive(Speak.class, (ctx, m) -> {
                                        throw new IllegalStateException(m.text());
                                    }))
                                    .onFailure(Supervision.resume()),
                            "broken")
                    .tell(new Speak("the cause"));
            world.run();
            assertThat(log.events()).singleElement().satisfies(event -> {
                assertThat(event.getFormattedMessage())
                        .contains("/user/broken")
                        .contains("go on with the next message");
                assertThat(event.getThrowableProxy().getMessage()).isEqualTo("the cause");
            });
        }
    }
}

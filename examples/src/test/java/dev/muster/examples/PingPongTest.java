package dev.muster.examples;

import dev.muster.actor.ActorRef;
import dev.muster.examples.PingPong.Ball;
import dev.muster.testkit.ActorTestKit;
import dev.muster.testkit.TestProbe;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PingPongTest {

    @Test
    void aPlayerReturnsTheBall() {
        try (ActorTestKit kit = ActorTestKit.create()) {
            TestProbe<Ball> opponent = kit.probe(Ball.class);
            TestProbe<String> referee = kit.probe(String.class);
            ActorRef<Ball> player = kit.spawn(PingPong.player("ping", 6));

            player.tell(new Ball(1, opponent.ref(), referee.ref()));

            opponent.expectMessage(new Ball(2, player, referee.ref()));
            referee.expectNoMessage(Duration.ofHours(1));
        }
    }

    @Test
    void theLastHitEndsTheGame() {
        try (ActorTestKit kit = ActorTestKit.create()) {
            TestProbe<Ball> opponent = kit.probe(Ball.class);
            TestProbe<String> referee = kit.probe(String.class);
            ActorRef<Ball> player = kit.spawn(PingPong.player("ping", 6));

            player.tell(new Ball(6, opponent.ref(), referee.ref()));

            referee.expectMessage("over after 6 hits");
            opponent.expectNoMessage(Duration.ofHours(1));
        }
    }
}

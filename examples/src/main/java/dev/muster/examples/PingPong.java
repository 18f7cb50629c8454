package dev.muster.examples;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import java.time.Duration;

/** Two actors that send each other a message, a few times. */
public final class PingPong {

    private PingPong() {}

    /**
     * The one message of this game.
     *
     * @param hit which hit of the game this is, from 1
     * @param opponent who gets the ball next
     * @param referee who hears of the end
     */
    record Ball(int hit, ActorRef<Ball> opponent, ActorRef<String> referee) {}

    static Behavior<Ball> player(String sound, int lastHit) {
        return Behaviors.receive(Ball.class, (ctx, ball) -> {
            System.out.println(ball.hit() + " " + sound);
            if (ball.hit() == lastHit) {
                ball.referee().tell("over after " + lastHit + " hits");
            } else {
                ball.opponent().tell(new Ball(ball.hit() + 1, ctx.self(), ball.referee()));
            }
            return Behaviors.same();
        });
    }

    public static void main(String[] args) {
        try (ActorSystem system = ActorSystem.create("table-tennis")) {
            ActorRef<Ball> ping = system.spawn(player("ping", 6), "ping");
            ActorRef<Ball> pong = system.spawn(player("pong", 6), "pong");

            String result = ping.<String>ask(referee -> new Ball(1, pong, referee), Duration.ofSeconds(5))
                    .join();
            System.out.println(result);
        }
    }
}

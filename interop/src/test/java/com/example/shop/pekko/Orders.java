package com.example.shop.pekko;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.pattern.Patterns;

/** Takes orders and numbers them. */
public final class Orders extends AbstractActor {
    /** Bound to a serializer in the configuration. */
    public interface Message {}

    public record Place(String article, int count) implements Message {}

    public record Placed(int number, String article) implements Message {}

    private int placed;

    @Override
    public Receive createReceive() {
        return receiveBuilder()
                .match(Place.class, place -> {
                    placed++;
                    getSender().tell(new Placed(placed, place.article()), getSelf());
                })
                .build();
    }

    /** @param node such as {@code pekko://shop@127.0.0.1:2551} */
    public static CompletionStage<Placed> place(ActorSystem system, String node, Place place) {
        return Patterns.ask(system.actorSelection(node + "/user/orders"), place, Duration.ofSeconds(5))
                .thenApply(Placed.class::cast);
    }
}

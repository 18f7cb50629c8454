package com.example.shop.muster;

import dev.muster.actor.ActorRef;
import dev.muster.actor.ActorSystem;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.cluster.Cluster;
import java.util.concurrent.CompletableFuture;

/** Takes orders and numbers them. */
public final class Orders {
    /** Not sealed while there are old nodes, see the guide. */
    public interface Message {}

    public record Place(String article, int count) implements Message {}

    public record Placed(int number, String article) implements Message {}

    private Orders() {}

    static Behavior<Message> orders(int placed) {
        return Behaviors.receive(Message.class)
                .on(Place.class, (ctx, place) -> {
                    ctx.reply(new Placed(placed + 1, place.article()));
                    return orders(placed + 1);
                })
                .build();
    }

    /** @param node such as {@code pekko://shop@127.0.0.1:2551} */
    public static CompletableFuture<Placed> place(ActorSystem system, String node, Place place) {
        @SuppressWarnings("unchecked") // a name does not tell what its actor understands
        var orders = (ActorRef<Message>) Cluster.get(system).resolve(node + "/user/orders");
        return orders.ask(place, Placed.class);
    }
}

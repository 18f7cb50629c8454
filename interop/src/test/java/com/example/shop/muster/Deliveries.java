package com.example.shop.muster;

import dev.muster.actor.ActorRef;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import dev.muster.actor.Supervision;
import dev.muster.actor.Terminated;
import java.time.Duration;
import java.util.function.Consumer;

/** Sends parcels out with a courier: stash, timers, supervision and death watch. */
public final class Deliveries {
    /** What it understands. All of it stays on one node, so it may be sealed. */
    public sealed interface Command permits Open, Send, Hurry {}

    public record Open() implements Command {}

    public record Send(String parcel) implements Command {}

    record Hurry() implements Command {}

    private Deliveries() {}

    public static Behavior<Command> closed(Consumer<String> road) {
        return Behaviors.withStash(
                1_000,
                stash -> Behaviors.receive(Command.class)
                        .on(Open.class, (ctx, open) -> stash.unstashAll(open(road)))
                        .on(Send.class, (ctx, send) -> {
                            stash.stash(send);
                            return Behaviors.same();
                        })
                        .on(Hurry.class, (ctx, hurry) -> Behaviors.same())
                        .build());
    }

    private static Behavior<Command> open(Consumer<String> road) {
        return Behaviors.withTimers(timers -> {
            timers.startWithFixedDelay("hurry", new Hurry(), Duration.ofMinutes(10));
            return sending(road);
        });
    }

    private static Behavior<Command> sending(Consumer<String> road) {
        return Behaviors.setup(ctx -> {
            ActorRef<String> courier = ctx.spawn(
                    Behaviors.supervise(courier(road))
                            .onFailure(Supervision.restart().withLimit(3, Duration.ofMinutes(1))),
                    "courier");
            ctx.watch(courier);
            return Behaviors.receive(Command.class)
                    .on(Open.class, (c, open) -> Behaviors.same())
                    .on(Send.class, (c, send) -> {
                        courier.tell(send.parcel());
                        return Behaviors.same();
                    })
                    .on(Hurry.class, (c, hurry) -> {
                        courier.tell("hurry");
                        return Behaviors.same();
                    })
                    .onSignal(Terminated.class, (c, gone) -> Behaviors.stopped())
                    .build();
        });
    }

    private static Behavior<String> courier(Consumer<String> road) {
        return Behaviors.receive(String.class, (ctx, parcel) -> {
            road.accept(parcel);
            return Behaviors.same();
        });
    }
}

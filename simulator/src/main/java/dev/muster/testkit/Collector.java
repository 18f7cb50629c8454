package dev.muster.testkit;

import dev.muster.actor.ActorContext;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors;
import java.util.function.Consumer;

/** Hands every message to the kit, whatever it is. */
final class Collector<M> extends Behavior<M> {

    private final Consumer<? super M> sink;

    Collector(Consumer<? super M> sink) {
        this.sink = sink;
    }

    @Override
    public Behavior<M> onMessage(ActorContext<M> ctx, M message) {
        sink.accept(message);
        return Behaviors.same();
    }
}

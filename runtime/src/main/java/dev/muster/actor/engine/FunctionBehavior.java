package dev.muster.actor.engine;

import dev.muster.actor.ActorContext;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors.Handler;
import java.util.Objects;

/** A behavior in one function. */
public final class FunctionBehavior<M> extends Behavior<M> {

    private final Class<M> protocol;
    private final Handler<M, M> handler;

    public FunctionBehavior(Class<M> protocol, Handler<M, M> handler) {
        this.protocol = Objects.requireNonNull(protocol, "protocol");
        this.handler = Objects.requireNonNull(handler, "handler");
    }

    @Override
    public Behavior<M> onMessage(ActorContext<M> ctx, M message) throws Exception {
        return protocol.isInstance(message) ? handler.handle(ctx, message) : Marker.unhandled();
    }

    @Override
    public Class<?> protocol() {
        return protocol;
    }
}

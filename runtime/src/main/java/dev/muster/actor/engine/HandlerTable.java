package dev.muster.actor.engine;

import dev.muster.actor.ActorContext;
import dev.muster.actor.Behavior;
import dev.muster.actor.Behaviors.Handler;
import dev.muster.actor.Signal;

/**
 * A behavior of one handler for each type.
 *
 * <p>Messages are mostly records, whose class is exactly a handler's, so the first pass compares identities; only what
 * that pass does not find is asked for its supertypes.
 */
public final class HandlerTable<M> extends Behavior<M> {

    private final Class<M> protocol;
    private final Class<?>[] types;
    private final Handler<M, Object>[] handlers;
    private final Class<?>[] signalTypes;
    private final Handler<M, Object>[] signalHandlers;
    private final Handler<M, M> otherwise;

    @SuppressWarnings("unchecked")
    private HandlerTable(
            Class<M> protocol,
            Class<?>[] types,
            Handler<?, ?>[] handlers,
            Class<?>[] signalTypes,
            Handler<?, ?>[] signalHandlers,
            Handler<M, M> otherwise) {
        this.protocol = protocol;
        this.types = types;
        this.handlers = (Handler<M, Object>[]) handlers;
        this.signalTypes = signalTypes;
        this.signalHandlers = (Handler<M, Object>[]) signalHandlers;
        this.otherwise = otherwise;
    }

    public static <M> Behavior<M> of(
            Class<M> protocol,
            Class<?>[] types,
            Handler<?, ?>[] handlers,
            Class<?>[] signalTypes,
            Handler<?, ?>[] signalHandlers,
            Handler<M, M> otherwise) {
        Protocols.requireReachable(protocol, types);
        if (otherwise == null) {
            Protocols.requireComplete(protocol, types);
        }
        return new HandlerTable<>(protocol, types, handlers, signalTypes, signalHandlers, otherwise);
    }

    @Override
    public Behavior<M> onMessage(ActorContext<M> ctx, M message) throws Exception {
        Class<?> type = message.getClass();
        Class<?>[] known = types;
        for (int i = 0; i < known.length; i++) {
            if (known[i] == type) {
                return handlers[i].handle(ctx, message);
            }
        }
        return bySupertype(ctx, message);
    }

    private Behavior<M> bySupertype(ActorContext<M> ctx, M message) throws Exception {
        for (int i = 0; i < types.length; i++) {
            if (types[i].isInstance(message)) {
                return handlers[i].handle(ctx, message);
            }
        }
        // A reply or an unchecked cast can bring what the protocol does not know.
        return otherwise != null && protocol.isInstance(message) ? otherwise.handle(ctx, message) : Marker.unhandled();
    }

    @Override
    public Behavior<M> onSignal(ActorContext<M> ctx, Signal signal) throws Exception {
        if (signalTypes != null) {
            for (int i = 0; i < signalTypes.length; i++) {
                if (signalTypes[i].isInstance(signal)) {
                    return signalHandlers[i].handle(ctx, signal);
                }
            }
        }
        return Marker.unhandled();
    }

    @Override
    public Class<?> protocol() {
        return protocol;
    }
}

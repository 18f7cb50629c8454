package dev.muster.actor;

import dev.muster.actor.Behaviors.Handler;
import dev.muster.actor.engine.HandlerTable;
import java.util.Arrays;
import java.util.Objects;

/**
 * Collects the handlers of one behavior.
 *
 * <p>Handlers are looked at in the order they were added, and the first whose type fits gets the message.
 *
 * @param <M> the protocol
 */
public final class ReceiveBuilder<M> {

    private final Class<M> protocol;
    private Class<?>[] types = new Class<?>[4];
    private Handler<?, ?>[] handlers = new Handler<?, ?>[4];
    private int count;
    private Class<?>[] signalTypes;
    private Handler<?, ?>[] signalHandlers;
    private Handler<M, M> otherwise;

    ReceiveBuilder(Class<M> protocol) {
        this.protocol = Objects.requireNonNull(protocol, "protocol");
    }

    /** Handles messages of that type, subtypes included. */
    public <T extends M> ReceiveBuilder<M> on(Class<T> type, Handler<M, ? super T> handler) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(handler, "handler");
        if (count == types.length) {
            types = Arrays.copyOf(types, count * 2);
            handlers = Arrays.copyOf(handlers, count * 2);
        }
        types[count] = type;
        handlers[count++] = handler;
        return this;
    }

    /** Handles a signal of that type. */
    public <S extends Signal> ReceiveBuilder<M> onSignal(Class<S> type, Handler<M, ? super S> handler) {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(handler, "handler");
        int length = signalTypes == null ? 0 : signalTypes.length;
        signalTypes = length == 0 ? new Class<?>[1] : Arrays.copyOf(signalTypes, length + 1);
        signalHandlers = length == 0 ? new Handler<?, ?>[1] : Arrays.copyOf(signalHandlers, length + 1);
        signalTypes[length] = type;
        signalHandlers[length] = handler;
        return this;
    }

    /** Handles every message that no other handler takes. */
    public ReceiveBuilder<M> otherwise(Handler<M, M> handler) {
        otherwise = Objects.requireNonNull(handler, "handler");
        return this;
    }

    /**
     * The behavior.
     *
     * @throws IllegalArgumentException if the protocol is sealed and one of its messages has no handler, or if a
     *     handler can never be reached because an earlier one takes its messages
     */
    public Behavior<M> build() {
        return HandlerTable.of(
                protocol,
                Arrays.copyOf(types, count),
                Arrays.copyOf(handlers, count),
                signalTypes,
                signalHandlers,
                otherwise);
    }
}

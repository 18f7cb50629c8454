package dev.muster.actor.engine;

import dev.muster.actor.ActorContext;
import dev.muster.actor.Behavior;
import dev.muster.actor.Signal;

/** Behaviors that are answers rather than behaviors: stay, stop, not for me. Each exists once. */
public final class Marker extends Behavior<Object> {

    static final Behavior<Object> SAME = new Marker("same");
    static final Behavior<Object> UNHANDLED = new Marker("unhandled");
    static final Behavior<Object> STOPPED = new Marker("stopped");
    static final Behavior<Object> EMPTY = new Marker("empty");
    static final Behavior<Object> IGNORE = new Marker("ignore");

    private final String name;

    private Marker(String name) {
        this.name = name;
    }

    public static <M> Behavior<M> same() {
        return typed(SAME);
    }

    public static <M> Behavior<M> unhandled() {
        return typed(UNHANDLED);
    }

    public static <M> Behavior<M> stopped() {
        return typed(STOPPED);
    }

    public static <M> Behavior<M> empty() {
        return typed(EMPTY);
    }

    public static <M> Behavior<M> ignore() {
        return typed(IGNORE);
    }

    @Override
    public Behavior<Object> onMessage(ActorContext<Object> ctx, Object message) {
        return this == IGNORE ? SAME : UNHANDLED;
    }

    @Override
    public Behavior<Object> onSignal(ActorContext<Object> ctx, Signal signal) {
        return this == IGNORE ? SAME : UNHANDLED;
    }

    @Override
    public String toString() {
        return name;
    }

    @SuppressWarnings("unchecked")
    private static <M> Behavior<M> typed(Behavior<Object> marker) {
        return (Behavior<M>) marker;
    }
}

package dev.muster.actor;

import dev.muster.actor.engine.Deferred;
import dev.muster.actor.engine.FunctionBehavior;
import dev.muster.actor.engine.Marker;
import dev.muster.actor.engine.Supervised;
import java.util.Objects;

/** Makes behaviors. */
public final class Behaviors {

    private Behaviors() {}

    /**
     * Begins a behavior with one handler for each type of message. When {@code protocol} is sealed, {@code build()}
     * refuses a behavior that leaves out one of its messages.
     */
    public static <M> ReceiveBuilder<M> receive(Class<M> protocol) {
        return new ReceiveBuilder<>(protocol);
    }

    /** A behavior in one function; on Java 21 and later its body can be one {@code switch} over a sealed protocol. */
    public static <M> Behavior<M> receive(Class<M> protocol, Handler<M, M> handler) {
        return new FunctionBehavior<>(protocol, handler);
    }

    /**
     * Something to do when the actor starts, and again at each restart: open, spawn, watch; then the behavior proper.
     */
    public static <M> Behavior<M> setup(Setup<M> setup) {
        return new Deferred<>(Objects.requireNonNull(setup, "setup"));
    }

    /** Like {@link #setup}, with timers. */
    public static <M> Behavior<M> withTimers(WithTimers<M> setup) {
        Objects.requireNonNull(setup, "setup");
        return new Deferred<>(ctx -> setup.start(Deferred.timersOf(ctx)));
    }

    /** Like {@link #setup}, with a buffer for at most {@code capacity} messages put aside. */
    public static <M> Behavior<M> withStash(int capacity, WithStash<M> setup) {
        Objects.requireNonNull(setup, "setup");
        if (capacity < 1) {
            throw new IllegalArgumentException("the capacity of a stash must be positive, was " + capacity);
        }
        return new Deferred<>(ctx -> setup.start(Deferred.stashOf(ctx, capacity)));
    }

    /** Stay as you are. */
    public static <M> Behavior<M> same() {
        return Marker.same();
    }

    /** Stay as you are, and count and publish the message as unhandled. */
    public static <M> Behavior<M> unhandled() {
        return Marker.unhandled();
    }

    /** Stop, after the children. */
    public static <M> Behavior<M> stopped() {
        return Marker.stopped();
    }

    /** Handles nothing: every message is unhandled. */
    public static <M> Behavior<M> empty() {
        return Marker.empty();
    }

    /** Drops every message without a word. */
    public static <M> Behavior<M> ignore() {
        return Marker.ignore();
    }

    /** Begins to say what happens when {@code behavior} fails. Without supervision a failing actor stops. */
    public static <M> Supervise<M> supervise(Behavior<M> behavior) {
        return new Supervise<>(Objects.requireNonNull(behavior, "behavior"));
    }

    /** What {@link #supervise} returns: it waits for the rule. Nest for several rules; the innermost that fits wins. */
    public static final class Supervise<M> {

        private final Behavior<M> behavior;

        Supervise(Behavior<M> behavior) {
            this.behavior = behavior;
        }

        /**
         * The rule for failures of that type, subtypes included. Errors such as {@link StackOverflowError} are failures
         * too, for a rule that names them; {@link OutOfMemoryError} ends the process whatever the rules say.
         */
        public Behavior<M> onFailure(Class<? extends Throwable> type, Supervision supervision) {
            return new Supervised<>(behavior, type, supervision);
        }

        /** The rule for every {@link Exception}. */
        public Behavior<M> onFailure(Supervision supervision) {
            return onFailure(Exception.class, supervision);
        }
    }

    /** Handles messages of one type. */
    @FunctionalInterface
    public interface Handler<M, T> {
        Behavior<M> handle(ActorContext<M> ctx, T message) throws Exception;
    }

    /** What {@link #setup} runs. */
    @FunctionalInterface
    public interface Setup<M> {
        Behavior<M> start(ActorContext<M> ctx) throws Exception;
    }

    /** What {@link #withTimers} runs. */
    @FunctionalInterface
    public interface WithTimers<M> {
        Behavior<M> start(TimerScheduler<M> timers) throws Exception;
    }

    /** What {@link #withStash} runs. */
    @FunctionalInterface
    public interface WithStash<M> {
        Behavior<M> start(StashBuffer<M> stash) throws Exception;
    }
}

package dev.muster.actor;

/**
 * What an actor does with its next message or signal, and what it will be afterwards.
 *
 * <p>Most behaviors are made by {@link Behaviors}. Extending this class is the other way, for an actor that keeps
 * mutable fields or, on Java 21 and later, for one {@code switch} over a sealed protocol:
 *
 * <pre>{@code
 * final class Counter extends Behavior<Cmd> {
 *     private int n;
 *
 *     @Override
 *     public Behavior<Cmd> onMessage(ActorContext<Cmd> ctx, Cmd message) {
 *         switch (message) {
 *             case Add add -> n += add.by();
 *             case Get get -> ctx.reply(n);
 *         }
 *         return this;
 *     }
 * }
 * }</pre>
 *
 * <p>An object with mutable fields belongs to one actor: spawn it inside {@link Behaviors#setup}, so that a restart
 * begins with a new one.
 *
 * @param <M> the messages it understands
 */
public abstract class Behavior<M> {

    /**
     * Handles one message, alone: no other message of this actor is handled at the same time.
     *
     * @return the behavior for the next message; {@link Behaviors#same()} or {@code this} to stay
     * @throws Exception whatever goes wrong; the actor's supervision decides what happens then
     */
    public abstract Behavior<M> onMessage(ActorContext<M> ctx, M message) throws Exception;

    /** Handles a signal. Unless overridden it says that it does not: see {@link Terminated} for what that means. */
    public Behavior<M> onSignal(ActorContext<M> ctx, Signal signal) throws Exception {
        return Behaviors.unhandled();
    }

    /** The type of its messages if it is known, for metrics, for lookups and in logs; null if not. */
    public Class<?> protocol() {
        return null;
    }
}

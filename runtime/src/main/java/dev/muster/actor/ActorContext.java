package dev.muster.actor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;

/**
 * What an actor can do besides sending: know itself, reply, have children, watch, wait.
 *
 * <p>It belongs to the actor's own turn. Only {@link #self()} and {@link #system()} may be used from other threads; the
 * methods that change something say so with an {@link IllegalStateException} when they are called from elsewhere, for
 * example from the callback of a future (use {@link #pipeToSelf} there).
 *
 * @param <M> the actor's messages
 */
public interface ActorContext<M> {

    ActorRef<M> self();

    ActorSystem system();

    /** Replies to the message being handled. Without anybody who waits for one, the reply is a {@link DeadLetter}. */
    void reply(Object reply);

    /** Who waits for the reply to the message being handled: keep it to reply later. Dead letters if nobody does. */
    ActorRef<Object> replyTo();

    /** Whether somebody waits for a reply to the message being handled. */
    boolean expectsReply();

    /** Starts a child with a name made up for it. */
    <C> ActorRef<C> spawn(Behavior<C> behavior);

    /**
     * Starts a child.
     *
     * @throws IllegalArgumentException if the name is not allowed, or taken by a child that has not fully stopped
     */
    <C> ActorRef<C> spawn(Behavior<C> behavior, String name);

    /** Starts a child with options; a null name is made up. */
    <C> ActorRef<C> spawn(Behavior<C> behavior, String name, SpawnOptions options);

    /**
     * Stops a child after the message it is handling. A child that has stopped already is no mistake.
     *
     * @throws IllegalArgumentException if it is not a child of this actor; to stop itself, an actor returns
     *     {@link Behaviors#stopped()}
     */
    void stop(ActorRef<?> child);

    /** The children that have not fully stopped, oldest first. */
    List<ActorRef<?>> children();

    Optional<ActorRef<?>> child(String name);

    /** Asks to be told, by {@link Terminated}, when that actor stops; at once if it has. */
    void watch(ActorRef<?> other);

    /** Asks to be told of it by a message of one's own instead. */
    void watchWith(ActorRef<?> other, M message);

    /** Takes the request back; after this call no {@link Terminated} of that actor comes, not even one on its way. */
    void unwatch(ActorRef<?> other);

    /**
     * A ref that turns other actors' messages into this actor's. The function runs in this actor's turn, so it may read
     * the actor's state, and when it throws, the actor fails. The ref dies with the actor.
     */
    <U> ActorRef<U> adapt(Class<U> type, Function<? super U, ? extends M> function);

    /** Sends itself what a future brings: the function runs in this actor's turn, with a value or with a failure. */
    <T> void pipeToSelf(CompletionStage<T> future, BiFunction<? super T, ? super Throwable, ? extends M> function);

    /** Asks another actor and sends itself what comes of it, like {@link #pipeToSelf}. */
    <Q, R> void ask(
            ActorRef<Q> other,
            Q message,
            Class<R> replyType,
            Duration timeout,
            BiFunction<? super R, ? super Throwable, ? extends M> function);

    /** Sends a message later, whether or not this actor still lives by then. For itself an actor better uses timers. */
    <T> Cancellable scheduleOnce(Duration delay, ActorRef<T> target, T message);

    /** Sends itself {@code message} whenever nothing has come for that long, again and again until cancelled. */
    void setReceiveTimeout(Duration timeout, M message);

    void cancelReceiveTimeout();

    /**
     * A logger named after the actor's type. While a message is handled in which it was used, the mapped diagnostic
     * context holds {@code actorPath} and {@code actorSystem}.
     */
    Logger log();
}

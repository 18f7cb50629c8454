package dev.muster.actor;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The address of one actor: hand it to anybody, on any thread.
 *
 * <p>A ref stays valid for ever, but not its actor: what is told to a stopped actor becomes a {@link DeadLetter}. Two
 * refs are equal when they name the same incarnation of the same actor.
 *
 * @param <M> the messages the actor understands
 */
public interface ActorRef<M> {

    /** Sends a message and returns at once. Messages of one sender to one actor arrive in the order they were sent. */
    void tell(M message);

    /**
     * Sends a message together with the address for its reply, which the receiver reaches by
     * {@link ActorContext#reply}.
     *
     * @param replyTo who gets the reply; null for nobody
     */
    void tell(M message, ActorRef<?> replyTo);

    /** Like {@link #ask(Object, Class, Duration)} with the default timeout, {@code muster.actor.ask-timeout}. */
    <R> CompletableFuture<R> ask(M message, Class<R> replyType);

    /**
     * Sends a message and promises its reply.
     *
     * <p>The future fails with {@link AskTimeoutException} when no reply comes in time or its system is closed before,
     * and with {@link UnexpectedReplyException} when it is of another type. It fails at once with
     * {@link NotDeliveredException} when this node sees that the message will not be handled: its actor is here and has
     * stopped or has no room, or it cannot be sent. What becomes of it on another node is not told: if there is no such
     * actor there, or no instance of the partition, the question ends by its timeout. Callbacks attached to it run on
     * the default dispatcher or on the thread that attaches them (one attached in the very moment of the reply: on the
     * thread that replies), never on a timer or I/O thread. Cancelling it gives up the wait.
     */
    <R> CompletableFuture<R> ask(M message, Class<R> replyType, Duration timeout);

    /** The same for protocols whose messages carry the address for the reply: {@code ask(Get::new, timeout)}. */
    <R> CompletableFuture<R> ask(Function<ActorRef<R>, M> message, Duration timeout);

    /** Where the actor is in the tree of its system. */
    ActorPath path();

    /** The same ref for somebody who may send only some of the messages. Costs nothing. */
    @SuppressWarnings("unchecked")
    default <N extends M> ActorRef<N> narrow() {
        return (ActorRef<N>) this;
    }
}

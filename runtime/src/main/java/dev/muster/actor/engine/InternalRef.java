package dev.muster.actor.engine;

import dev.muster.actor.ActorRef;
import dev.muster.actor.DeadLetter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** What every ref of this engine shares: asking is the same whatever the ref leads to. */
interface InternalRef<M> extends ActorRef<M> {

    LocalActorSystem system();

    @Override
    default void tell(M message) {
        tell(message, null);
    }

    @Override
    default <R> CompletableFuture<R> ask(M message, Class<R> replyType) {
        return ask(message, replyType, system().settings().askTimeout());
    }

    @Override
    default <R> CompletableFuture<R> ask(M message, Class<R> replyType, Duration timeout) {
        Ask<R> ask = new Ask<>(system(), Objects.requireNonNull(replyType, "replyType"), this, timeout);
        ask.startTimer(timeout);
        tell(message, ask);
        return ask;
    }

    @Override
    @SuppressWarnings("unchecked")
    default <R> CompletableFuture<R> ask(Function<ActorRef<R>, M> message, Duration timeout) {
        Ask<R> ask = new Ask<>(system(), null, this, timeout);
        ask.startTimer(timeout);
        tell(message.apply((ActorRef<R>) ask), ask);
        return ask;
    }

    /** Told to a reply target when the message that it came with will never be handled. */
    default void undelivered(ActorRef<?> recipient, DeadLetter.Reason reason) {}
}
